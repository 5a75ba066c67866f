/* SPDX-License-Identifier: MIT
 *
 * The records are the truth: the first `nstates` of them, each with how far it is. The hash table and the queues of
 * what is to be looked at can be made again from them, and are if a process dies while it holds the lock.
 *
 * Each area has as much address space as all of them together may use; memory is only taken where something is written.
 * States that are compared byte by byte are kept as lists of blocks, and no block is kept twice: most of a state is as
 * it was in others.
 *
 * Each worker has a queue of the states that it added itself, because it can go back to those quickly. Who has none
 * left takes from the longest queue.
 */
#include "explorer/states.h"
#include "base/hash.h"
#include "explorer/shared_memory.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x6d7a737461746573ULL
#define BLOCK 256UL
#define FIRST_SLOTS 1024U
#define NAP_NANOSECONDS 200000L /* how long a worker with nothing to do sleeps before it looks for new states again */

enum status { OPEN, TAKEN, DONE, ASIDE };

struct record {
	struct mz_key key;
	struct mz_origin origin;
	uint32_t depth;
	uint32_t next;   /* number of the next state in the queue */
	uint32_t worker; /* the worker in whose queue the state is, or that looks at it */
	uint8_t status;
	uint8_t losses;
	struct mz_prospect prospect;
	uint32_t size;   /* number of the state's bytes; 0 if they are not kept */
	uint64_t blocks; /* index of the first of the numbers of its blocks, in the area NUMBERS */
};

struct queue {
	uint32_t first, last; /* numbers of states; they mean nothing while `length` is 0 */
	uint32_t length;
};

/* A hash table. Its slots are in an area of their own; a slot holds 1 + the number it stands for, and above that the
 * upper half of the hash. An empty slot is 0. */
struct table {
	uint32_t slots; /* a power of two */
	uint32_t used;
};

struct mz_states {
	uint64_t magic;
	pthread_mutex_t lock;
	bool exact;
	uint64_t most; /* limit on the bytes of all areas together */
	uint64_t area; /* bytes of address space for each area */
	uint32_t nstates;
	uint32_t nactive; /* how many states workers look at now */
	uint32_t naside;
	uint32_t nblocks;
	uint64_t nnumbers; /* how many numbers of blocks are in the area NUMBERS */
	uint64_t nlinks;   /* how many links to states that were already known are in the area LINKS */
	struct table known;
	struct table blocks;
	struct queue queues[MZ_STATES_WORKERS];
	uint32_t nthreads;
	struct mz_session_thread threads[MZ_SESSION_THREADS];
};

/* ---- areas ---- */

enum area { RECORDS, SLOTS, BLOCKS, BLOCK_SLOTS, NUMBERS, LINKS, NAREAS };

static void *area(struct mz_states *s, enum area which)
{
	size_t header = (sizeof *s + 4095) & ~4095UL;
	return (uint8_t *)s + header + which * s->area;
}

static struct record *record_of(struct mz_states *s, uint32_t state)
{
	return (struct record *)area(s, RECORDS) + state;
}

static uint8_t *block_of(struct mz_states *s, uint32_t block)
{
	return (uint8_t *)area(s, BLOCKS) + block * BLOCK;
}

static uint64_t used(const struct mz_states *s)
{
	return (uint64_t)s->nstates * sizeof(struct record) + (uint64_t)s->nblocks * BLOCK +
	       s->nnumbers * sizeof(uint32_t) + s->nlinks * sizeof(struct mz_state_link) +
	       ((uint64_t)s->known.slots + s->blocks.slots) * sizeof(uint64_t);
}

/* Returns whether there is room for a state of so many blocks, even if all tables have to grow for it. */
static bool has_room(const struct mz_states *s, size_t nblocks)
{
	uint64_t more = sizeof(struct record) + nblocks * (BLOCK + sizeof(uint32_t));
	if (s->known.used * 2 >= s->known.slots) more += s->known.slots * sizeof(uint64_t);
	if ((s->blocks.used + nblocks) * 2 >= s->blocks.slots)
		more += (s->blocks.slots + nblocks * 4) * sizeof(uint64_t);
	return used(s) + more <= s->most && s->nstates < MZ_NO_STATE - 1;
}

/* ---- tables: not those of base/table.h, because processes share them, at addresses that differ ---- */

static uint64_t slot_for(uint64_t hash, uint32_t what)
{
	return (hash & ~(uint64_t)UINT32_MAX) | (what + 1);
}

static void put(uint64_t *slots, struct table *table, uint64_t hash, uint32_t what)
{
	uint32_t at = (uint32_t)hash & (table->slots - 1);
	while (slots[at]) at = (at + 1) & (table->slots - 1);
	slots[at] = slot_for(hash, what);
	table->used++;
}

static void clear(uint64_t *slots, struct table *table, uint32_t wanted)
{
	if (!table->slots) table->slots = FIRST_SLOTS;
	while (wanted * 2 >= table->slots) table->slots *= 2;
	memset(slots, 0, table->slots * sizeof *slots);
	table->used = 0;
}

static uint64_t hash_block(const uint8_t *block)
{
	uint64_t hash = 0, word;
	for (size_t i = 0; i < BLOCK; i += sizeof word) {
		memcpy(&word, block + i, sizeof word);
		hash = mz_hash2(hash, word);
	}
	return hash;
}

static void make_known(struct mz_states *s, uint32_t wanted)
{
	clear(area(s, SLOTS), &s->known, wanted);
	for (uint32_t n = 0; n < s->nstates; n++) put(area(s, SLOTS), &s->known, record_of(s, n)->key.low, n);
}

static void make_blocks(struct mz_states *s, uint32_t wanted)
{
	clear(area(s, BLOCK_SLOTS), &s->blocks, wanted);
	for (uint32_t n = 0; n < s->nblocks; n++) put(area(s, BLOCK_SLOTS), &s->blocks, hash_block(block_of(s, n)), n);
}

/* ---- bytes ---- */

static size_t blocks_in(size_t size)
{
	return (size + BLOCK - 1) / BLOCK;
}

/* Returns the n-th block of these bytes. An incomplete last block is copied to `room` and filled up with zeros. */
static const uint8_t *cut(const uint8_t *bytes, size_t size, size_t n, uint8_t room[BLOCK])
{
	size_t left = size - n * BLOCK;
	if (left >= BLOCK) return bytes + n * BLOCK;
	memset(room, 0, BLOCK);
	memcpy(room, bytes + n * BLOCK, left);
	return room;
}

static uint32_t find_block(struct mz_states *s, const uint8_t *block)
{
	uint64_t *slots = area(s, BLOCK_SLOTS), hash = hash_block(block);
	uint32_t at = (uint32_t)hash & (s->blocks.slots - 1);
	for (; slots[at]; at = (at + 1) & (s->blocks.slots - 1)) {
		uint32_t n = (uint32_t)slots[at] - 1;
		if (slots[at] == slot_for(hash, n) && memcmp(block_of(s, n), block, BLOCK) == 0) return n;
	}
	memcpy(block_of(s, s->nblocks), block, BLOCK);
	put(slots, &s->blocks, hash, s->nblocks);
	return s->nblocks++;
}

static void keep_bytes(struct mz_states *s, struct record *record, const uint8_t *bytes, size_t size)
{
	uint8_t room[BLOCK];
	size_t n = blocks_in(size);
	uint32_t *numbers = (uint32_t *)area(s, NUMBERS) + s->nnumbers;
	if ((s->blocks.used + n) * 2 >= s->blocks.slots) make_blocks(s, s->blocks.used + (uint32_t)n);
	for (size_t i = 0; i < n; i++) numbers[i] = find_block(s, cut(bytes, size, i, room));
	record->blocks = s->nnumbers;
	record->size = (uint32_t)size;
	s->nnumbers += n;
}

static bool has_bytes(struct mz_states *s, const struct record *record, const uint8_t *bytes, size_t size)
{
	uint8_t room[BLOCK];
	const uint32_t *numbers = (uint32_t *)area(s, NUMBERS) + record->blocks;
	if (record->size != size) return false;
	for (size_t i = 0; i < blocks_in(size); i++)
		if (memcmp(block_of(s, numbers[i]), cut(bytes, size, i, room), BLOCK) != 0) return false;
	return true;
}

/* ---- queues ---- */

static void enqueue(struct mz_states *s, uint32_t worker, uint32_t state)
{
	struct queue *queue = &s->queues[worker];
	record_of(s, state)->worker = worker;
	record_of(s, state)->next = MZ_NO_STATE;
	if (queue->length++)
		record_of(s, queue->last)->next = state;
	else
		queue->first = state;
	queue->last = state;
}

static uint32_t dequeue(struct mz_states *s, struct queue *queue)
{
	uint32_t state = queue->first;
	queue->first = record_of(s, state)->next;
	queue->length--;
	return state;
}

static struct queue *longest(struct mz_states *s)
{
	struct queue *best = &s->queues[0];
	for (size_t i = 1; i < MZ_STATES_WORKERS; i++)
		if (s->queues[i].length > best->length) best = &s->queues[i];
	return best;
}

/* ---- the lock ---- */

/* Makes counts, queues and tables again from the records, because a process died while it held the lock. */
static void mend(struct mz_states *s)
{
	s->nactive = s->naside = 0;
	for (size_t i = 0; i < MZ_STATES_WORKERS; i++) s->queues[i] = (struct queue){0};
	for (uint32_t n = 0; n < s->nstates; n++) {
		const struct record *record = record_of(s, n);
		s->nactive += record->status == TAKEN;
		s->naside += record->status == ASIDE;
		if (record->status == OPEN) enqueue(s, record->worker, n);
	}
	make_known(s, s->nstates);
	make_blocks(s, s->nblocks);
}

static void lock(struct mz_states *s)
{
	if (pthread_mutex_lock(&s->lock) != EOWNERDEAD) return;
	mend(s);
	pthread_mutex_consistent(&s->lock);
}

static void unlock(struct mz_states *s)
{
	pthread_mutex_unlock(&s->lock);
}

/* ---- the frontier ---- */

static uint32_t find(struct mz_states *s, struct mz_key key, const void *bytes, size_t size)
{
	const uint64_t *slots = area(s, SLOTS);
	uint32_t at = (uint32_t)key.low & (s->known.slots - 1);
	for (; slots[at]; at = (at + 1) & (s->known.slots - 1)) {
		uint32_t n = (uint32_t)slots[at] - 1;
		const struct record *record = record_of(s, n);
		if (slots[at] != slot_for(key.low, n) || record->key.low != key.low || record->key.high != key.high)
			continue;
		if (!s->exact || has_bytes(s, record, bytes, size)) return n;
	}
	return MZ_NO_STATE;
}

static uint32_t append(struct mz_states *s, struct mz_key key, const struct mz_origin *origin, uint32_t worker)
{
	uint32_t before = origin->parent == MZ_NO_STATE ? 0 : record_of(s, origin->parent)->depth;
	uint32_t depth = before > UINT32_MAX - origin->steps ? UINT32_MAX : before + origin->steps;
	*record_of(s, s->nstates) =
	    (struct record){.key = key, .origin = *origin, .depth = depth, .worker = worker, .status = OPEN};
	return s->nstates;
}

/* Notes that a step from the state `from` leads to `to`, a state that was already known. */
static enum mz_added add_link(struct mz_states *s, uint32_t from, uint32_t to)
{
	if (from == MZ_NO_STATE || from == to) return MZ_ADDED_KNOWN;
	if (used(s) + sizeof(struct mz_state_link) > s->most) return MZ_ADDED_FULL;
	((struct mz_state_link *)area(s, LINKS))[s->nlinks] = (struct mz_state_link){from, to};
	s->nlinks++;
	return MZ_ADDED_KNOWN;
}

static enum mz_added add_locked(struct mz_states_user *user, struct mz_key key, const void *bytes, size_t size,
                                const struct mz_origin *origin, uint32_t *state)
{
	struct mz_states *s = user->states;
	*state = find(s, key, bytes, size);
	if (*state != MZ_NO_STATE) return add_link(s, origin->parent, *state);
	if (!has_room(s, s->exact ? blocks_in(size) : 0)) return MZ_ADDED_FULL;
	*state = append(s, key, origin, user->worker);
	if (s->exact) keep_bytes(s, record_of(s, *state), bytes, size);
	s->nstates++; /* from here on the state is known, even if this process dies: mend() goes by the records */
	if (s->known.used * 2 >= s->known.slots)
		make_known(s, s->nstates);
	else
		put(area(s, SLOTS), &s->known, key.low, *state);
	enqueue(s, user->worker, *state);
	return MZ_ADDED_NEW;
}

static enum mz_added add(void *self, struct mz_key key, const void *bytes, size_t size, const struct mz_origin *origin,
                         uint32_t *state)
{
	struct mz_states_user *user = self;
	lock(user->states);
	enum mz_added added = add_locked(user, key, bytes, size, origin, state);
	unlock(user->states);
	return added;
}

/* Takes a state that nobody has looked at. Returns whether there was one; sets `*over` if there is none and no worker
 * is left that could add one. */
static bool take_one(struct mz_states_user *user, uint32_t *state, bool *over)
{
	struct mz_states *s = user->states;
	struct queue *queue = &s->queues[user->worker];
	if (!queue->length) queue = longest(s);
	*over = !queue->length && !s->nactive;
	if (!queue->length) return false;
	*state = dequeue(s, queue);
	struct record *record = record_of(s, *state);
	record->worker = user->worker;
	record->status = TAKEN;
	s->nactive++;
	return true;
}

static void set_idle(struct mz_states_user *user, bool idle)
{
	if (user->idle) atomic_store_explicit(user->idle, idle ? MZ_SESSION_THINKING : 0, memory_order_relaxed);
}

static bool take(void *self, uint32_t *state)
{
	struct mz_states_user *user = self;
	bool over = false, taken = false;
	while (!taken && !over) {
		if (user->stop && atomic_load_explicit(user->stop, memory_order_relaxed)) break;
		lock(user->states);
		taken = take_one(user, state, &over);
		unlock(user->states);
		if (taken || over) break;
		set_idle(user, true);
		nanosleep(&(struct timespec){0, NAP_NANOSECONDS}, NULL);
	}
	set_idle(user, false);
	return taken;
}

static void done(void *self, uint32_t state)
{
	struct mz_states_user *user = self;
	lock(user->states);
	record_of(user->states, state)->status = DONE;
	user->states->nactive--;
	/* under the lock: the counts are published before another worker can see that all states are done */
	if (user->finished) user->finished(user->finisher);
	unlock(user->states);
}

/* Takes no lock, nor does depth_of(): origins and depths never change once a state is known. */
static struct mz_origin origin_of(void *self, uint32_t state)
{
	const struct mz_states_user *user = self;
	return record_of(user->states, state)->origin;
}

static uint32_t depth_of(void *self, uint32_t state)
{
	const struct mz_states_user *user = self;
	return record_of(user->states, state)->depth;
}

static void note(void *self, uint32_t state, struct mz_prospect prospect)
{
	const struct mz_states_user *user = self;
	record_of(user->states, state)->prospect = prospect; /* no lock: nobody else looks at the state meanwhile */
}

/* ---- the graph ---- */

static bool whole(void *self)
{
	const struct mz_states_user *user = self;
	struct mz_states_counts counts = mz_states_counts(user->states);
	return user->worker == 0 && counts.left == 0;
}

static uint32_t count_states(void *self)
{
	const struct mz_states_user *user = self;
	return user->states->nstates;
}

static struct mz_prospect prospect_of(void *self, uint32_t state)
{
	const struct mz_states_user *user = self;
	const struct record *record = record_of(user->states, state);
	return record->status == DONE ? record->prospect : (struct mz_prospect){.is_open = true};
}

static bool link_of(void *self, size_t n, struct mz_state_link *link)
{
	const struct mz_states_user *user = self;
	if (n >= user->states->nlinks) return false;
	*link = ((struct mz_state_link *)area(user->states, LINKS))[n];
	return true;
}

struct mz_frontier mz_states_frontier(struct mz_states_user *user)
{
	return (struct mz_frontier){.self = user,
	                            .exact = user->states->exact,
	                            .add = add,
	                            .take = take,
	                            .done = done,
	                            .origin = origin_of,
	                            .depth = depth_of,
	                            .note = note,
	                            .whole = whole,
	                            .count = count_states,
	                            .prospect = prospect_of,
	                            .link = link_of};
}

/* ---- threads ---- */

static uint32_t number_of(struct mz_states *s, struct mz_session_thread who)
{
	for (uint32_t t = 1; t < s->nthreads; t++)
		if (s->threads[t].parent == who.parent && s->threads[t].nth == who.nth) return t;
	if (s->nthreads == MZ_SESSION_THREADS) return MZ_NO_THREAD;
	s->threads[s->nthreads] = who;
	return s->nthreads++;
}

uint32_t mz_states_number(struct mz_states *s, struct mz_session_thread who)
{
	lock(s);
	uint32_t number = number_of(s, who);
	unlock(s);
	return number;
}

struct mz_session_thread mz_states_thread(struct mz_states *s, uint32_t number)
{
	lock(s);
	struct mz_session_thread who = s->threads[number];
	unlock(s);
	return who;
}

static struct mz_states_counts count(const struct mz_states *s)
{
	struct mz_states_counts counts = {s->nstates, s->nactive, s->naside, used(s)};
	for (size_t i = 0; i < MZ_STATES_WORKERS; i++) counts.left += s->queues[i].length;
	return counts;
}

struct mz_states_counts mz_states_counts(struct mz_states *s)
{
	lock(s);
	struct mz_states_counts counts = count(s);
	unlock(s);
	return counts;
}

/* ---- supervision ---- */

#define LOCK_SECONDS 10 /* how long a worker may hold the lock: far longer than it needs to */

static bool is_queue_sound(const struct mz_states *s, const struct queue *queue)
{
	return queue->length <= s->nstates &&
	       (!queue->length || (queue->first < s->nstates && queue->last < s->nstates));
}

static bool is_table_sound(const struct mz_states_memory *memory, const struct table *table)
{
	return table->slots && (table->slots & (table->slots - 1)) == 0 &&
	       table->slots <= memory->area / sizeof(uint64_t) && table->used < table->slots;
}

/* Returns whether the constants in the head are unchanged, and its counts are within the areas. */
static bool is_sound(const struct mz_states_memory *memory)
{
	const struct mz_states *s = memory->states;
	bool good = s->magic == MAGIC && s->most == memory->most && s->area == memory->area;
	good &= s->nstates <= memory->area / sizeof(struct record) && s->nblocks <= memory->area / BLOCK;
	good &= s->nlinks <= memory->area / sizeof(struct mz_state_link);
	good &= s->nthreads >= 1 && s->nthreads <= MZ_SESSION_THREADS && s->nactive <= s->nstates;
	good &= is_table_sound(memory, &s->known) && is_table_sound(memory, &s->blocks);
	for (size_t i = 0; good && i < MZ_STATES_WORKERS; i++) good &= is_queue_sound(s, &s->queues[i]);
	return good;
}

/* Returns whether every state names a worker that can exist: mend() relies on that. */
static bool are_records_sound(struct mz_states *s)
{
	bool good = true;
	for (uint32_t n = 0; n < s->nstates; n++) good &= record_of(s, n)->worker < MZ_STATES_WORKERS;
	return good;
}

static bool lock_soundly(struct mz_states_memory *memory)
{
	struct mz_states *s = memory->states;
	struct timespec until;
	s->lock.__data.__kind = memory->lock_kind;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LOCK_SECONDS;
	int failed = pthread_mutex_timedlock(&s->lock, &until);
	if (failed && failed != EOWNERDEAD) return false;
	bool good = is_sound(memory) && are_records_sound(s);
	if (failed && good) mend(s);
	if (failed) pthread_mutex_consistent(&s->lock);
	if (!good) unlock(s);
	return good;
}

static uint32_t lose(struct mz_states *s, uint32_t worker, uint8_t most)
{
	uint32_t lost = MZ_NO_STATE;
	for (uint32_t n = 0; n < s->nstates && s->nactive; n++) {
		struct record *record = record_of(s, n);
		if (record->status != TAKEN || record->worker != worker) continue;
		lost = n;
		s->nactive--;
		record->status = record->losses++ >= most ? ASIDE : OPEN;
		s->naside += record->status == ASIDE;
		if (record->status == OPEN) enqueue(s, worker, n);
	}
	return lost;
}

bool mz_states_lose_worker(struct mz_states_memory *memory, uint32_t worker, uint8_t most, uint32_t *state)
{
	if (!lock_soundly(memory)) return false;
	*state = lose(memory->states, worker, most);
	unlock(memory->states);
	return true;
}

bool mz_states_count_checked(struct mz_states_memory *memory, struct mz_states_counts *counts)
{
	*counts = (struct mz_states_counts){0};
	if (!lock_soundly(memory)) return false;
	*counts = count(memory->states);
	unlock(memory->states);
	return true;
}

uint32_t mz_states_threads(struct mz_states_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS])
{
	struct mz_states *s = memory->states;
	if (!lock_soundly(memory)) return 0;
	uint32_t n = s->nthreads;
	for (uint32_t t = 0; t < n; t++) {
		struct mz_session_thread who = s->threads[t];
		bool known = t > 0 && who.parent < t && who.nth >= 1 && who.nth <= MZ_SESSION_THREADS;
		threads[t] = known ? who : (struct mz_session_thread){MZ_NO_THREAD, 0};
	}
	unlock(s);
	return n;
}

uint32_t mz_states_path(struct mz_states_memory *memory, uint32_t state, struct mz_step *steps, uint32_t room)
{
	struct mz_states *s = memory->states;
	if (state >= s->nstates || !is_sound(memory)) return UINT32_MAX;
	uint32_t depth = record_of(s, state)->depth, left = depth;
	if (depth > room) return UINT32_MAX;
	while (left) {
		struct mz_origin origin = record_of(s, state)->origin;
		if (origin.parent >= s->nstates || origin.steps == 0 || origin.steps > left) return UINT32_MAX;
		for (uint32_t n = 0; n < origin.steps; n++)
			steps[--left] = (struct mz_step){origin.thread, n ? 0 : origin.choice};
		state = origin.parent;
	}
	return depth;
}

/* ---- memory ---- */

static int map(struct mz_states_memory *memory, int fd, size_t size)
{
	void *got = mz_shared_memory_map(fd, size, 0);
	if (!got) return -1;
	*memory = (struct mz_states_memory){.states = got, .size = size, .fd = fd};
	return 0;
}

int mz_states_open(struct mz_states_memory *memory, size_t most, bool exact)
{
	size_t each = (most + 4095) & ~4095UL;
	size_t size = ((sizeof(struct mz_states) + 4095) & ~4095UL) + NAREAS * each;
	int fd = mz_shared_memory_make("mazurka-states", size);
	if (fd < 0) return -1;
	if (map(memory, fd, size) != 0) {
		close(fd);
		return -1;
	}
	struct mz_states *s = memory->states;
	s->exact = exact;
	s->most = most;
	s->area = each;
	s->nthreads = 1;
	s->threads[0] = (struct mz_session_thread){MZ_NO_THREAD, 1};
	if (mz_shared_lock_make(&s->lock) != 0) {
		mz_states_close(memory);
		return -1;
	}
	make_known(s, 0);
	make_blocks(s, 0);
	s->magic = MAGIC;
	memory->most = most;
	memory->area = each;
	memory->lock_kind = s->lock.__data.__kind;
	return 0;
}

int mz_states_attach(struct mz_states_memory *memory, int fd)
{
	struct stat status;
	if (fstat(fd, &status) != 0 || (size_t)status.st_size < sizeof(struct mz_states)) return -1;
	if (map(memory, fd, (size_t)status.st_size) != 0) return -1;
	return memory->states->magic == MAGIC ? 0 : -1;
}

void mz_states_close(struct mz_states_memory *memory)
{
	munmap(memory->states, memory->size);
	close(memory->fd);
}
