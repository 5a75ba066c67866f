-- SPDX-License-Identifier: MIT
--
-- The functions of the store, which run inside Redis (7.0 or later), each as one atomic step. store.h says what they do for
-- whom; docs/internals/cluster.md has the keys. The build embeds this file and names the library after a hash of its text, so
-- that members with different versions of it do not replace each other's.
--
-- Every function gets one key, mazurka:{NAME}:run, from which it derives the others, and answers with strings, which
-- are one when put together (decode.h). Positions are bytes of the log since the run began. Times are milliseconds. A member's name is its number and a
-- random number, NUMBER-RANDOM: if Redis forgets that a member joined, the next one gets its number, but not its name.

local MAGIC = 0x31535a4d
local FORMAT = '2'
local CHUNK = 1048576 -- bytes of the log in one key
local MOST = 16777216 -- bytes of the log, or of records, in one answer: an entry is not larger
local NOBODY = '0'
local NO_TAG = '\0\0\0\0\0\0\0\0'
local KEPT = 604800 -- seconds for which a run that has ended stays

local OK, WAITS, FENCED, EXPIRED, TRIMMED, LOST, ABSENT, EXISTS, ENDED, FOREIGN = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9

-- Returns an answer, in parts. Parts of the log are not made one string here: Lua hashes every string that it makes.
local function answer(run, code, parts, dead)
  local ids, all = {}, {}
  for i, id in ipairs(dead or {}) do ids[i] = struct.pack('<I8', tonumber(string.match(id, '^%d+'))) end
  all[1] = struct.pack('<I4I4I8I8I8I4I4', MAGIC, code, run.head or 0, run.base or 0, run.epoch or 0, #(run.ended or ''), #ids)
    .. (run.tag or NO_TAG) .. (run.ended or '') .. table.concat(ids)
  for _, part in ipairs(parts or {}) do all[#all + 1] = part end
  return all
end

-- ---- a run ----

-- Advances the run's clock, by which leases are judged. While nobody calls, it stands still, but for a quarter of a lease:
-- members that could not reach Redis, all at once, are not taken for dead.
local function tick(run)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  run.clock = run.clock + math.max(0, math.min(now - run.heard, run.lease / 4))
  run.heard = now
end

-- Returns the run; or nil, and the answer that says why there is none.
local function open(keys)
  local fields = redis.call('HMGET', keys[1], 'format', 'head', 'base', 'tag', 'holder', 'epoch', 'lease', 'clock', 'heard', 'ended')
  if not fields[1] then return nil, answer({}, ABSENT) end
  if fields[1] ~= FORMAT then return nil, answer({}, FOREIGN) end
  local run = {key = keys[1], prefix = string.sub(keys[1], 1, -4), tag = fields[4], ended = fields[10] or nil}
  for i, name in ipairs({'head', 'base', 'tag', 'holder', 'epoch', 'lease', 'clock', 'heard'}) do
    if name == 'holder' then
      run.holder = fields[i + 1] or NOBODY
    elseif name ~= 'tag' then run[name] = tonumber(fields[i + 1]) end
  end
  tick(run)
  return run
end

local function save(run)
  redis.call('HSET', run.key, 'head', run.head, 'tag', run.tag, 'holder', run.holder, 'epoch', run.epoch, 'clock', run.clock,
    'heard', run.heard)
end

-- Renews a member's lease. Returns false if the member is taken for dead. Nobody only looks on, and has no lease.
local function renew(run, member)
  if member == NOBODY then return true end
  if not redis.call('ZSCORE', run.prefix .. 'leases', member) then return false end
  redis.call('ZADD', run.prefix .. 'leases', run.clock + run.lease, member)
  return true
end

-- ---- the log ----

local function log_between(run, position, stop)
  local parts = {}
  while position < stop do
    local chunk = math.floor(position / CHUNK)
    local last = math.min(stop, (chunk + 1) * CHUNK)
    parts[#parts + 1] = redis.call('GETRANGE', run.prefix .. 'log:' .. chunk, position - chunk * CHUNK, last - chunk * CHUNK - 1)
    position = last
  end
  return parts
end

local function append(run, entry)
  local from = 1
  while from <= #entry do
    local chunk = math.floor(run.head / CHUNK)
    local size = math.min(#entry - from + 1, (chunk + 1) * CHUNK - run.head)
    redis.call('APPEND', run.prefix .. 'log:' .. chunk, string.sub(entry, from, from + size - 1))
    if run.ended then redis.call('EXPIRE', run.prefix .. 'log:' .. chunk, KEPT) end
    run.head, from = run.head + size, from + size
  end
end

-- Returns the answer with what came after a position, or with why that cannot be had.
local function answer_since(run, code, position, dead)
  if position > run.head then return answer(run, LOST) end
  if position < run.base then return answer(run, TRIMMED, {}, dead) end
  return answer(run, code, log_between(run, position, math.min(run.head, position + MOST)), dead)
end

-- ---- the token ----

local function give(run, member)
  run.holder, run.epoch = member, run.epoch + 1
  redis.call('RPUSH', run.prefix .. 'wake:' .. member, 1)
  redis.call('PEXPIRE', run.prefix .. 'wake:' .. member, math.ceil(run.lease))
end

-- Gives the token to who has waited longest and is not taken for dead; to nobody if there is none.
local function hand_on(run)
  run.holder = NOBODY
  while run.holder == NOBODY do
    local next = redis.call('ZPOPMIN', run.prefix .. 'queue')
    if not next[1] then return end
    if redis.call('ZSCORE', run.prefix .. 'leases', next[1]) then give(run, next[1]) end
  end
end

-- Takes members for dead whose leases have expired, and the token from them. They are among the dead until somebody is told who
-- has the token, and then among those told of until somebody with the token has left: this may happen while another one has it.
local function bury(run)
  local expired = redis.call('ZRANGE', run.prefix .. 'leases', '-inf', '(' .. string.format('%.0f', run.clock), 'BYSCORE')
  for _, member in ipairs(expired) do
    redis.call('ZREM', run.prefix .. 'leases', member)
    redis.call('ZREM', run.prefix .. 'queue', member)
    redis.call('SADD', run.prefix .. 'dead', member)
  end
  -- nobody else could give the token back: who has it and no lease has expired just now, or what Redis says of it is damaged
  if run.holder ~= NOBODY and not redis.call('ZSCORE', run.prefix .. 'leases', run.holder) then run.holder = NOBODY end
end

-- Returns the members that who has the token now is told of.
local function tell_of_dead(run)
  for _, member in ipairs(redis.call('SMEMBERS', run.prefix .. 'dead')) do
    redis.call('SMOVE', run.prefix .. 'dead', run.prefix .. 'told', member)
  end
  return redis.call('SMEMBERS', run.prefix .. 'told')
end

local function queue(run, member)
  if not redis.call('ZSCORE', run.prefix .. 'queue', member) then
    redis.call('ZADD', run.prefix .. 'queue', redis.call('HINCRBY', run.key, 'tickets', 1), member)
  end
end

-- enter MEMBER POSITION: gives the token or puts the member into the queue; either way, what came after its position.
local function enter(keys, args)
  local run, none = open(keys)
  if not run then return none end
  local member, code, dead = args[1], OK, nil
  if not renew(run, member) then return answer(run, EXPIRED) end
  if tonumber(args[2]) > run.head then return answer(run, LOST) end
  bury(run)
  if run.ended and run.holder ~= member then
    code = ENDED
  elseif run.holder == NOBODY and redis.call('ZCARD', run.prefix .. 'queue') == 0 then
    run.holder, run.epoch = member, run.epoch + 1
  elseif run.holder ~= member then
    queue(run, member)
    if run.holder == NOBODY then hand_on(run) end
    if run.holder ~= member then code = WAITS end
  end
  if code == OK then dead = tell_of_dead(run) end
  save(run)
  return answer_since(run, code, tonumber(args[2]), dead)
end

-- forgo MEMBER: leaves the queue, and gives the token back if it has come meanwhile. Commits nothing.
local function forgo(keys, args)
  local run, none = open(keys)
  if not run then return none end
  redis.call('ZREM', run.prefix .. 'queue', args[1])
  if run.holder == args[1] then hand_on(run) end
  redis.call('DEL', run.prefix .. 'wake:' .. args[1])
  save(run)
  return answer(run, renew(run, args[1]) and OK or EXPIRED)
end

-- leave MEMBER SERIAL EPOCH POSITION TAG NEW-TAG ENTRY: appends the entry to the log if the member has the token still, and hands
-- the token on. The same serial number again changes nothing and is confirmed again.
local function leave(keys, args)
  local run, none = open(keys)
  if not run then return none end
  local member, serial = args[1], tonumber(args[2])
  if tonumber(redis.call('HGET', run.prefix .. 'serials', member) or 0) >= serial then return answer(run, OK) end
  if not renew(run, member) then return answer(run, EXPIRED) end
  if run.holder ~= member or run.epoch ~= tonumber(args[3]) then return answer(run, FENCED) end
  if run.head ~= tonumber(args[4]) or run.tag ~= args[5] then return answer(run, LOST) end
  append(run, args[7])
  run.tag = args[6]
  redis.call('HSET', run.prefix .. 'serials', member, serial)
  redis.call('DEL', run.prefix .. 'told')
  hand_on(run)
  save(run)
  return answer(run, OK)
end

-- ---- runs and members ----

-- begin IDENTITY SIZE LEASE MAKER: makes the run, unless there is one that another maker made.
local function begin(keys, args)
  if redis.call('HGET', keys[1], 'maker') == args[4] then return answer({}, OK) end
  if redis.call('EXISTS', keys[1]) == 1 then return answer({}, EXISTS) end
  redis.call('HSET', keys[1], 'format', FORMAT, 'identity', args[1], 'size', args[2], 'lease', args[3], 'head', 0, 'base', 0,
    'tag', NO_TAG, 'holder', NOBODY, 'epoch', 0, 'clock', 0, 'heard', 0, 'members', 0,
    'maker', args[4])
  return answer({}, OK)
end

-- look: the run's size, lease, number of members, snapshot (its position, size and tag, and the random number of who made it) and identity.
local function look(keys)
  local run, none = open(keys)
  if not run then return none end
  local fields = redis.call('HMGET', run.key, 'size', 'snapshot', 'snapshot-size', 'snapshot-tag', 'snapshot-by', 'identity')
  return answer(run, OK, {struct.pack('<I8I8I8I8I8I8', tonumber(fields[1]), run.lease, redis.call('ZCARD', run.prefix .. 'leases'),
    tonumber(fields[2] or 0), tonumber(fields[3] or 0), tonumber(fields[5] or 0)) .. (fields[4] or NO_TAG) .. fields[6]})
end

-- join RANDOM: the same random number again is the same member.
local function join(keys, args)
  local run, none = open(keys)
  if not run then return none end
  local member = redis.call('HGET', run.prefix .. 'serials', 'joined:' .. args[1])
  if member then return answer(run, OK, {struct.pack('<I8', tonumber(member))}) end
  member = redis.call('HINCRBY', run.key, 'members', 1)
  redis.call('HSET', run.prefix .. 'serials', 'joined:' .. args[1], member)
  redis.call('ZADD', run.prefix .. 'leases', run.clock + run.lease, member .. '-' .. args[1])
  save(run)
  return answer(run, OK, {struct.pack('<I8', member)})
end

-- depart MEMBER: a member that has nothing of the run any more: nobody is told.
local function depart(keys, args)
  local run, none = open(keys)
  if not run then return none end
  redis.call('ZREM', run.prefix .. 'leases', args[1])
  redis.call('ZREM', run.prefix .. 'queue', args[1])
  redis.call('DEL', run.prefix .. 'wake:' .. args[1])
  if run.holder == args[1] then hand_on(run) end
  save(run)
  return answer(run, OK)
end

-- pull MEMBER POSITION
local function pull(keys, args)
  local run, none = open(keys)
  if not run then return none end
  if not renew(run, args[1]) then return answer(run, EXPIRED) end
  if args[1] ~= NOBODY then redis.call('HSET', run.key, 'clock', run.clock, 'heard', run.heard) end
  return answer_since(run, OK, tonumber(args[2]))
end

-- beat MEMBER
local function beat(keys, args)
  local run, none = open(keys)
  if not run then return none end
  if not renew(run, args[1]) then return answer(run, EXPIRED) end
  redis.call('HSET', run.key, 'clock', run.clock, 'heard', run.heard)
  return answer(run, OK)
end

-- ---- snapshots, records, status ----

local function chunk_keys(run, position, size, member)
  local found = {}
  for i = 0, math.ceil(tonumber(size) / CHUNK) - 1 do found[i + 1] = run.prefix .. 'snapshot:' .. position .. ':' .. member .. ':' .. i end
  return found
end

-- Returns the keys of the run's snapshot, and its position and member.
local function snapshot_keys(run)
  local fields = redis.call('HMGET', run.key, 'snapshot', 'snapshot-size', 'snapshot-by')
  if not fields[1] then return {}, -1, NOBODY end
  return chunk_keys(run, fields[1], fields[2], fields[3]), tonumber(fields[1]), fields[3]
end

local function unlink(keys)
  for _, key in ipairs(keys) do redis.call('UNLINK', key) end
end

-- snapshot MEMBER POSITION SIZE TAG: its chunks are there, under the member's random number; it takes the place of an older one, and of the log
-- before it. If there is a newer one, or the run has ended, it is not needed.
local function snapshot(keys, args)
  local run, none = open(keys)
  if not run then return none end
  local member, position = string.match(args[1], '%d+$'), tonumber(args[2])
  local chunks = chunk_keys(run, args[2], args[3], member)
  local old, old_position, old_member = snapshot_keys(run)
  if position == old_position and member == old_member then return answer(run, OK) end
  if run.ended or position <= run.base then
    unlink(chunks)
    return answer(run, OK)
  end
  -- every entry ends with its tag: a snapshot of another log, from before Redis forgot something, has another one there
  if position > run.head or table.concat(log_between(run, position - 8, position)) ~= args[4] then
    unlink(chunks)
    return answer(run, LOST)
  end
  for _, key in ipairs(chunks) do
    if redis.call('EXISTS', key) == 0 then return answer(run, TRIMMED) end
  end
  for _, key in ipairs(chunks) do redis.call('PERSIST', key) end
  unlink(old)
  for chunk = math.floor(run.base / CHUNK), math.floor(position / CHUNK) - 1 do redis.call('UNLINK', run.prefix .. 'log:' .. chunk) end
  run.base = position
  redis.call('HSET', run.key, 'base', position, 'snapshot', args[2], 'snapshot-size', args[3], 'snapshot-tag', args[4], 'snapshot-by', member)
  return answer(run, OK)
end

local function each_key(run, use)
  for _, name in ipairs({'run', 'leases', 'queue', 'dead', 'told', 'serials', 'status', 'kinds'}) do use(run.prefix .. name) end
  for chunk = math.floor(run.base / CHUNK), math.floor(run.head / CHUNK) do use(run.prefix .. 'log:' .. chunk) end
  for _, key in ipairs(snapshot_keys(run)) do use(key) end
  for _, kind in ipairs(redis.call('SMEMBERS', run.prefix .. 'kinds')) do use(run.prefix .. 'records:' .. kind) end
end

-- record MEMBER SERIAL KIND TAG RECORD: appends a record, with its tag before it, and counts it in the run. The same serial number again
-- changes nothing.
local function record(keys, args)
  local run, none = open(keys)
  if not run then return none end
  if tonumber(redis.call('HGET', run.prefix .. 'serials', 'records:' .. args[1]) or 0) >= tonumber(args[2]) then return answer(run, OK) end
  if not renew(run, args[1]) then return answer(run, EXPIRED) end
  redis.call('HSET', run.prefix .. 'serials', 'records:' .. args[1], args[2])
  redis.call('SADD', run.prefix .. 'kinds', args[3])
  redis.call('RPUSH', run.prefix .. 'records:' .. args[3], args[4] .. args[5])
  redis.call('HINCRBY', run.key, 'records:' .. args[3], 1)
  if run.ended then each_key(run, function(key) redis.call('EXPIRE', key, KEPT) end) end
  return answer(run, OK)
end

local function packed(list)
  local parts = {}
  for i, text in ipairs(list) do parts[i] = struct.pack('<I4', #text) .. text end
  return table.concat(parts)
end

-- records KIND FIRST: how many records there have to be; records from the FIRST-th on, as many as fit, but one at least.
local function records(keys, args)
  local run, none = open(keys)
  if not run then return none end
  local found, size, at = {}, 0, tonumber(args[2])
  while size < MOST / 2 do
    local text = redis.call('LINDEX', run.prefix .. 'records:' .. args[1], at)
    if not text then break end
    found[#found + 1], size, at = text, size + #text, at + 1
  end
  local all = tonumber(redis.call('HGET', run.key, 'records:' .. args[1]) or 0)
  return answer(run, OK, {struct.pack('<I8', all) .. packed(found)})
end

-- tell FIELD VALUE ...
local function tell(keys, args)
  local run, none = open(keys)
  if not run then return none end
  redis.call('HSET', run.prefix .. 'status', unpack(args))
  return answer(run, OK)
end

local function status(keys)
  local run, none = open(keys)
  if not run then return none end
  return answer(run, OK, {packed(redis.call('HGETALL', run.prefix .. 'status'))})
end

-- ---- ends ----

-- stop REASON SUMMARY: the first reason stays, and what the run came to by then, if that is not empty. All that waited are woken, and told.
local function stop(keys, args)
  local run, none = open(keys)
  if not run then return none end
  if not run.ended then
    run.ended = args[1]
    redis.call('HSET', run.key, 'ended', args[1])
    if #args[2] > 0 then redis.call('HSET', run.prefix .. 'status', 'summary', args[2]) end
    for _, member in ipairs(redis.call('ZRANGE', run.prefix .. 'queue', 0, -1)) do
      redis.call('RPUSH', run.prefix .. 'wake:' .. member, 1)
      redis.call('PEXPIRE', run.prefix .. 'wake:' .. member, math.ceil(run.lease))
    end
    redis.call('DEL', run.prefix .. 'queue')
  end
  each_key(run, function(key) redis.call('EXPIRE', key, KEPT) end)
  return answer(run, OK)
end

local function remove(keys)
  local run, none = open(keys)
  if not run then return none end
  local found = {}
  each_key(run, function(key) found[#found + 1] = key end)
  for _, key in ipairs(found) do redis.call('UNLINK', key) end
  return answer({}, OK)
end

-- While a library is loaded, Redis has nothing of Lua's own libraries.
local functions = {'begin', begin, 'look', look, 'join', join, 'depart', depart, 'pull', pull, 'beat', beat, 'enter', enter,
  'forgo', forgo, 'leave', leave, 'snapshot', snapshot, 'record', record, 'records', records, 'tell', tell, 'status', status,
  'stop', stop, 'remove', remove}
for i = 1, #functions, 2 do redis.register_function(LIBRARY .. '_' .. functions[i], functions[i + 1]) end
