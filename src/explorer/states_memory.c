/* SPDX-License-Identifier: MIT
 *
 * A process can be killed at any time. What it adds to the book is behind what is there, and counts when the extent says so,
 * which it does together with everything else that was settled (struct mz_states_change).
 *
 * States that are compared byte by byte are kept as lists of blocks, and no block is kept twice: most of a state is as it was
 * in others.
 *
 * A state that is open is in the queue of the worker that added it, because that can go back to it quickly. Other machines may
 * take it meanwhile: it stays in the queue, and is left out when its turn comes.
 */
#include "explorer/states_memory.h"
#include "base/hash.h"
#include "explorer/shared_memory.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x6d7a73746174657aULL
#define BLOCK MZ_STATES_BLOCK
#define CHUNK_LEAST ((size_t)64 << 10)
#ifndef MZ_SMALL_TABLES
#define FIRST_SLOTS 1024U
#else
#define FIRST_SLOTS 4U
#endif

/* ---- the book ---- */

static const size_t element_sizes[MZ_STATES_AREAS] = {sizeof(struct mz_state_record), sizeof(struct mz_state_link),
                                                      BLOCK, sizeof(uint32_t)};

static size_t head_size(void)
{
	return mz_states_round(sizeof(struct mz_states));
}

void *mz_states_element(struct mz_states *s, enum mz_states_area area, uint64_t n)
{
	uint64_t at = n * element_sizes[area];
	size_t chunk = s->chunks[area][at / s->chunk & (MZ_STATES_CHUNKS - 1)];
	return (char *)s + head_size() + (chunk - 1) * s->chunk + (at & (s->chunk - 1));
}

/* Notes that something of the book changes, if other machines have to know. */
static void touch(struct mz_states *s, const void *at)
{
	struct mz_trunk_link *link = mz_states_link(s);
	if (link->linked) link->touched[((const char *)at - (const char *)s) / MZ_LINK_PAGE] = 1;
}

/* Returns an element of an area, which may be the first of a new chunk, to be changed. */
static void *edit(struct mz_states *s, enum mz_states_area area, uint64_t n)
{
	uint32_t *chunk = &s->chunks[area][n * element_sizes[area] / s->chunk & (MZ_STATES_CHUNKS - 1)];
	if (!*chunk) *chunk = ++s->nchunks;
	void *at = mz_states_element(s, area, n);
	touch(s, at);
	return at;
}

struct mz_state_record *mz_states_record(struct mz_states *s, uint32_t state)
{
	return mz_states_element(s, MZ_STATES_RECORDS, state);
}

struct mz_state_record *mz_states_edit(struct mz_states *s, uint32_t state)
{
	return edit(s, MZ_STATES_RECORDS, state);
}

bool mz_states_take_over(struct mz_states *s, enum mz_states_area area, uint64_t n, struct mz_states *from)
{
	size_t size = element_sizes[area];
	if (n * size / s->chunk >= MZ_STATES_CHUNKS || head_size() + (s->nchunks + 1) * s->chunk > s->size)
		return false;
	memcpy(edit(s, area, n), mz_states_element(from, area, n), size);
	return true;
}

static uint8_t *block_of(struct mz_states *s, uint32_t block)
{
	return mz_states_element(s, MZ_STATES_BLOCKS, block);
}

static uint32_t number_at(struct mz_states *s, uint64_t n)
{
	return *(const uint32_t *)mz_states_element(s, MZ_STATES_NUMBERS, n);
}

uint64_t mz_states_used(struct mz_states *s, const struct mz_states_extent *extent)
{
	const struct mz_states_index *index = mz_states_index(s);
	return extent->states * sizeof(struct mz_state_record) + extent->blocks * BLOCK +
	       extent->numbers * sizeof(uint32_t) + extent->links * sizeof(struct mz_state_link) +
	       ((uint64_t)index->known.slots + index->known_blocks.slots) * sizeof(uint64_t);
}

static size_t blocks_in(size_t size)
{
	return (size + BLOCK - 1) / BLOCK;
}

/* Even if all tables have to grow for it. */
bool mz_states_has_room(struct mz_states *s, const struct mz_states_extent *extent, bool link, size_t size)
{
	const struct mz_states_index *index = mz_states_index(s);
	size_t nblocks = s->exact ? blocks_in(size) : 0;
	uint64_t more = sizeof(struct mz_state_record) + nblocks * (BLOCK + sizeof(uint32_t));
	if (link) return mz_states_used(s, extent) + sizeof(struct mz_state_link) <= s->most;
	if ((index->known.used + 1) * 2 >= index->known.slots) more += index->known.slots * sizeof(uint64_t);
	if ((index->known_blocks.used + nblocks + 1) * 2 >= index->known_blocks.slots)
		more += (index->known_blocks.slots + nblocks * 4) * sizeof(uint64_t);
	return mz_states_used(s, extent) + more <= s->most && extent->states < MZ_NO_STATE - 2;
}

/* ---- tables: not those of base/table.h, because processes share them, at addresses that differ ---- */

/* Returns the `n`-th of the parts behind the head of the index: two tables and the queues. */
static void *index_part(struct mz_states *s, unsigned n)
{
	size_t head = mz_states_round(sizeof(struct mz_states_index));
	return (char *)mz_states_index(s) + head + n * mz_states_round(s->most);
}

static uint64_t *slots_of_states(struct mz_states *s)
{
	return index_part(s, 0);
}

static uint64_t *slots_of_blocks(struct mz_states *s)
{
	return index_part(s, 1);
}

static uint64_t slot_for(uint64_t hash, uint32_t what)
{
	return (hash & ~(uint64_t)UINT32_MAX) | (what + 1);
}

static void set_slot(uint64_t *slot, uint64_t value)
{
	__atomic_store_n(slot, value, __ATOMIC_RELAXED);
}

static void put(uint64_t *slots, struct mz_states_table *table, uint64_t hash, uint32_t what)
{
	const uint32_t mask = table->slots - 1;
	uint32_t at = (uint32_t)hash & mask;
	while (slots[at]) at = (at + 1) & mask;
	set_slot(&slots[at], slot_for(hash, what));
	table->used++;
}

static void clear(uint64_t *slots, struct mz_states_table *table, uint32_t wanted)
{
	uint32_t count = table->slots ? table->slots : FIRST_SLOTS;
	while (wanted * 2 >= count) count *= 2;
	table->slots = count;
	for (uint32_t n = 0; n < count; n++) set_slot(&slots[n], 0);
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

static void rebuild_states(struct mz_states *s, uint32_t end)
{
	struct mz_states_table *table = &mz_states_index(s)->known;
	clear(slots_of_states(s), table, end);
	for (uint32_t n = 0; n < end; n++) put(slots_of_states(s), table, mz_states_record(s, n)->key.low, n);
}

static void rebuild_blocks(struct mz_states *s, uint32_t end)
{
	struct mz_states_table *table = &mz_states_index(s)->known_blocks;
	clear(slots_of_blocks(s), table, end);
	for (uint32_t n = 0; n < end; n++) put(slots_of_blocks(s), table, hash_block(block_of(s, n)), n);
}

/* Puts state `n` into the table, which has all before it. */
static void index_state(struct mz_states *s, uint32_t n)
{
	struct mz_states_table *table = &mz_states_index(s)->known;
	if ((table->used + 1) * 2 >= table->slots)
		rebuild_states(s, n + 1);
	else
		put(slots_of_states(s), table, mz_states_record(s, n)->key.low, n);
}

static void index_block(struct mz_states *s, uint32_t n, uint64_t hash)
{
	struct mz_states_table *table = &mz_states_index(s)->known_blocks;
	if ((table->used + 1) * 2 >= table->slots)
		rebuild_blocks(s, n + 1);
	else
		put(slots_of_blocks(s), table, hash, n);
}

/* ---- bytes ---- */

/* Returns the n-th block of these bytes. An incomplete last block is copied to `room` and filled up with zeros. */
static const uint8_t *cut(const uint8_t *bytes, size_t size, size_t n, uint8_t room[BLOCK])
{
	size_t left = size - n * BLOCK;
	if (left >= BLOCK) return bytes + n * BLOCK;
	memset(room, 0, BLOCK);
	memcpy(room, bytes + n * BLOCK, left);
	return room;
}

static uint32_t find_block(struct mz_states *s, struct mz_states_extent *extent, const uint8_t *block)
{
	const struct mz_states_table *table = &mz_states_index(s)->known_blocks;
	const uint64_t *slots = slots_of_blocks(s);
	uint64_t hash = hash_block(block);
	const uint32_t mask = table->slots - 1;
	uint32_t at = (uint32_t)hash & mask;
	for (; slots[at]; at = (at + 1) & mask) {
		uint32_t n = (uint32_t)slots[at] - 1;
		if (n >= extent->blocks || slots[at] != slot_for(hash, n)) continue;
		if (memcmp(block_of(s, n), block, BLOCK) == 0) return n;
	}
	memcpy(edit(s, MZ_STATES_BLOCKS, extent->blocks), block, BLOCK);
	index_block(s, extent->blocks, hash);
	return extent->blocks++;
}

static void keep_bytes(struct mz_states *s, struct mz_states_extent *extent, struct mz_state_record *record,
                       const uint8_t *bytes, size_t size)
{
	uint8_t room[BLOCK];
	record->blocks = extent->numbers;
	record->size = (uint32_t)size;
	for (size_t i = 0; i < blocks_in(size); i++) {
		uint32_t block = find_block(s, extent, cut(bytes, size, i, room));
		*(uint32_t *)edit(s, MZ_STATES_NUMBERS, extent->numbers++) = block;
	}
}

static bool has_bytes(struct mz_states *s, const struct mz_state_record *record, const uint8_t *bytes, size_t size)
{
	uint8_t room[BLOCK];
	if (record->size != size) return false;
	for (size_t i = 0; i < blocks_in(size); i++) {
		const uint8_t *block = block_of(s, number_at(s, record->blocks + i));
		if (memcmp(block, cut(bytes, size, i, room), BLOCK) != 0) return false;
	}
	return true;
}

/* ---- states ---- */

/* May be called without the lock, for states that are known: then the table may change meanwhile, and a state that is there
 * not be found. */
uint32_t mz_states_find(struct mz_states *s, uint32_t nstates, struct mz_key key, const void *bytes, size_t size)
{
	const uint64_t *slots = slots_of_states(s);
	uint32_t mask = mz_states_index(s)->known.slots - 1, at = (uint32_t)key.low & mask, left = mask;
	for (uint64_t slot; (slot = __atomic_load_n(&slots[at], __ATOMIC_RELAXED)) && left;
	     at = (at + 1) & mask, left--) {
		uint32_t n = (uint32_t)slot - 1;
		if (n >= nstates || slot != slot_for(key.low, n)) continue;
		const struct mz_state_record *record = mz_states_record(s, n);
		if (record->key.low != key.low || record->key.high != key.high) continue;
		if (!s->exact || has_bytes(s, record, bytes, size)) return n;
	}
	return MZ_NO_STATE;
}

uint32_t mz_states_append(struct mz_states *s, struct mz_states_extent *extent, const struct mz_state_record *record,
                          const void *bytes, size_t size)
{
	struct mz_state_record *added = mz_states_edit(s, extent->states);
	*added = *record;
	if (s->exact) keep_bytes(s, extent, added, bytes, size);
	index_state(s, extent->states);
	return extent->states++;
}

void mz_states_append_link(struct mz_states *s, struct mz_states_extent *extent, struct mz_state_link link)
{
	*(struct mz_state_link *)edit(s, MZ_STATES_LINKS, extent->links++) = link;
}

void mz_states_make_change(struct mz_states *s)
{
	const struct mz_states_extent *extent = &s->change.extent;
	s->seats[s->change.seat].settled = s->change.counts;
	s->extent.blocks = extent->blocks;
	s->extent.links = extent->links;
	s->extent.numbers = extent->numbers;
	/* last: who looks for a state without the lock looks among these */
	__atomic_store_n(&s->extent.states, extent->states, __ATOMIC_RELEASE);
}

/* ---- queues ---- */

/* For each state: 0 if it is in no queue, 1 if it is the last of its queue, else 2 + the number of the next. */
static uint32_t *nexts(struct mz_states *s)
{
	return index_part(s, 2);
}

void mz_states_enqueue(struct mz_states *s, uint32_t queue, uint32_t state)
{
	struct mz_states_queue *q = &mz_states_index(s)->queues[queue];
	uint32_t *next = nexts(s);
	if (next[state]) return;
	next[state] = 1;
	if (q->length++)
		next[q->last] = state + 2;
	else
		q->first = state;
	q->last = state;
}

uint32_t mz_states_dequeue(struct mz_states *s, uint32_t queue)
{
	struct mz_states_queue *q = &mz_states_index(s)->queues[queue];
	uint32_t *next = nexts(s);
	while (q->length) {
		uint32_t state = q->first;
		q->first = next[state] - 2;
		q->length--;
		next[state] = 0;
		if (mz_states_record(s, state)->status == MZ_STATE_OPEN) return state;
	}
	return MZ_NO_STATE;
}

static void enqueue_open(struct mz_states *s, uint32_t first, uint32_t end)
{
	for (uint32_t n = first; n < end; n++) {
		const struct mz_state_record *record = mz_states_record(s, n);
		if (record->status == MZ_STATE_OPEN) mz_states_enqueue(s, record->seat % MZ_STATES_WORKERS, n);
	}
}

void mz_states_fill_queues(struct mz_states *s)
{
	memset(nexts(s), 0, s->extent.states * sizeof(uint32_t));
	memset(mz_states_index(s)->queues, 0, sizeof mz_states_index(s)->queues);
	enqueue_open(s, 0, s->extent.states);
}

/* ---- order ---- */

static void make_index(struct mz_states *s)
{
	struct mz_states_index *index = mz_states_index(s);
	rebuild_states(s, s->extent.states);
	rebuild_blocks(s, s->extent.blocks);
	mz_states_fill_queues(s);
	index->states = s->extent.states;
	index->blocks = s->extent.blocks;
	index->generation = s->generation;
}

void mz_states_catch_up(struct mz_states *s)
{
	struct mz_states_index *index = mz_states_index(s);
	if (index->generation != s->generation) {
		make_index(s);
		return;
	}
	enqueue_open(s, index->states, s->extent.states);
	for (; index->states < s->extent.states; index->states++) index_state(s, index->states);
	for (; index->blocks < s->extent.blocks; index->blocks++)
		index_block(s, index->blocks, hash_block(block_of(s, index->blocks)));
}

/* Makes the number of chunks that of those that areas have. */
static void count_chunks(struct mz_states *s)
{
	s->nchunks = 0;
	for (size_t area = 0; area < MZ_STATES_AREAS; area++)
		for (size_t n = 0; n < MZ_STATES_CHUNKS; n++)
			if (s->chunks[area][n] > s->nchunks) s->nchunks = s->chunks[area][n];
}

void mz_states_mend(struct mz_states *s)
{
	bool complete = s->change.complete;
	uint32_t nopen = 0, nactive = 0, naside = 0;
	if (complete) mz_states_make_change(s);
	for (uint32_t n = 0; n < s->extent.states; n++) {
		uint8_t status = mz_states_record(s, n)->status;
		if (status == MZ_STATE_SETTLING) {
			status = complete ? MZ_STATE_DONE : MZ_STATE_TAKEN;
			mz_states_edit(s, n)->status = status;
		}
		nopen += status == MZ_STATE_OPEN;
		nactive += status == MZ_STATE_TAKEN;
		naside += status == MZ_STATE_ASIDE;
	}
	s->nopen = nopen;
	s->nactive = nactive;
	s->naside = naside;
	s->change.complete = 0;
	count_chunks(s);
	make_index(s);
}

void mz_states_open_taken(struct mz_states *s, uint32_t seat, uint32_t queue, uint32_t current, uint8_t most)
{
	for (uint32_t n = 0; n < s->extent.states && s->nactive; n++) {
		const struct mz_state_record *record = mz_states_record(s, n);
		if (record->status != MZ_STATE_TAKEN || record->seat != seat) continue;
		struct mz_state_record *edited = mz_states_edit(s, n);
		bool aside = n == current && edited->losses++ >= most;
		edited->status = aside ? MZ_STATE_ASIDE : MZ_STATE_OPEN;
		s->nactive--;
		s->naside += aside;
		s->nopen += !aside;
		if (!aside) mz_states_enqueue(s, queue, n);
	}
}

/* ---- the lock ---- */

/* Opens what those had taken of whom the supervisor has said that they are gone, in a book that is linked. */
static void open_lost(struct mz_states *s)
{
	struct mz_trunk_link *link = mz_states_link(s);
	for (uint32_t n = 0; n < s->nseats && n < MZ_STATES_SEATS; n++) {
		if (!s->seats[n].lost) continue;
		mz_states_open_taken(s, n, n % MZ_STATES_WORKERS, MZ_NO_STATE, 0);
		s->seats[n].lost = 0;
		link->losses--;
	}
}

void mz_states_lock(struct mz_states *s)
{
	if (mz_link_lock(mz_states_link(s))) mz_states_mend(s);
	s->operations++;
	mz_states_catch_up(s);
	if (mz_states_link(s)->losses) open_lost(s);
}

void mz_states_unlock(struct mz_states *s)
{
	mz_link_unlock(mz_states_link(s));
}

/* ---- memory ---- */

static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

/* Returns how large chunks are in a book for so many bytes of states. */
static size_t chunk_for(size_t most)
{
	size_t chunk = CHUNK_LEAST;
	while (round_up(most, chunk) / chunk > MZ_STATES_CHUNKS) chunk *= 2;
	return chunk;
}

size_t mz_states_size(size_t most)
{
	size_t chunk = chunk_for(most);
	return head_size() + round_up(most, chunk) + MZ_STATES_AREAS * chunk;
}

/* Returns how many bytes states may take in a book of that size. */
static size_t most_in(size_t size)
{
	if (size < mz_states_size(1)) return 0;
	size_t chunk = CHUNK_LEAST, rest = size - head_size();
	while ((rest - MZ_STATES_AREAS * chunk) / chunk > MZ_STATES_CHUNKS) chunk *= 2;
	return rest - MZ_STATES_AREAS * chunk;
}

static size_t whole_size(size_t size, size_t most)
{
	size_t index = mz_states_round(sizeof(struct mz_states_index)) + 3 * mz_states_round(most);
	return size + mz_states_round(mz_link_size(size)) + index;
}

static int map(struct mz_states_memory *memory, int fd, size_t size)
{
	void *got = mz_shared_memory_map(fd, size, 0);
	if (!got) return -1;
	*memory = (struct mz_states_memory){.states = got, .size = size, .fd = fd};
	return 0;
}

static void fill(struct mz_states *s, size_t size, size_t most, bool exact)
{
	s->size = size;
	s->most = most;
	s->chunk = chunk_for(most);
	s->exact = exact;
	s->nthreads = 1;
	s->threads[0] = (struct mz_session_thread){MZ_NO_THREAD, 1};
}

int mz_states_open(struct mz_states_memory *memory, size_t most, size_t size, bool exact)
{
	if (size) most = most_in(size);
	if (!size) size = mz_states_size(most);
	errno = EINVAL;
	if (size != mz_states_size(most)) return -1;
	size_t whole = whole_size(size, most);
	int fd = mz_shared_memory_make("mazurka-states", whole);
	if (fd < 0) return -1;
	if (map(memory, fd, whole) != 0) {
		close(fd);
		return -1;
	}
	struct mz_states *s = memory->states;
	fill(s, size, most, exact);
	memory->link = mz_states_link(s);
	if (mz_shared_lock_make(&memory->link->lock) != 0) {
		mz_states_close(memory);
		return -1;
	}
	make_index(s);
	s->magic = MAGIC;
	memory->book_size = size;
	memory->most = most;
	memory->lock_kind = memory->link->lock.__data.__kind;
	return 0;
}

int mz_states_attach(struct mz_states_memory *memory, int fd)
{
	struct stat status;
	if (fstat(fd, &status) != 0 || (size_t)status.st_size < sizeof(struct mz_states)) return -1;
	if (map(memory, fd, (size_t)status.st_size) != 0) return -1;
	memory->link = mz_states_link(memory->states);
	return memory->states->magic == MAGIC ? 0 : -1;
}

void mz_states_close(struct mz_states_memory *memory)
{
	munmap(memory->states, memory->size);
	close(memory->fd);
}

bool mz_states_is_intact(const struct mz_states_memory *memory)
{
	const struct mz_states *s = memory->states;
	return s->magic == MAGIC && s->most == memory->most && s->size == memory->book_size &&
	       s->chunk == chunk_for(memory->most);
}
