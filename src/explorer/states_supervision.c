/* SPDX-License-Identifier: MIT
 *
 * What the supervisor does with the states that are known. Before it reads anything, it checks that all numbers that it
 * follows lead to where something is.
 */
#include "base/alloc.h"
#include "explorer/learned.h"
#include "explorer/states_memory.h"
#include <errno.h>
#include <string.h>
#include <time.h>

#define LOCK_SECONDS 10 /* how long a worker may hold the lock: far longer than it needs to */

/* ---- counts ---- */

static struct mz_states_counts count(struct mz_states *s)
{
	return (struct mz_states_counts){.states = s->extent.states,
	                                 .left = s->nopen + s->nactive,
	                                 .aside = s->naside,
	                                 .bytes = mz_states_used(s, &s->extent),
	                                 .operations = s->operations};
}

struct mz_states_counts mz_states_counts(struct mz_states *s)
{
	mz_states_lock(s);
	struct mz_states_counts counts = count(s);
	mz_states_unlock(s);
	return counts;
}

struct mz_cartesian_counts mz_states_total(const struct mz_states *s)
{
	struct mz_cartesian_counts sum = {0};
	for (uint32_t i = 0; i < s->nseats && i < MZ_STATES_SEATS; i++) {
		const struct mz_cartesian_counts *one = &s->seats[i].settled;
		sum.states += one->states;
		sum.steps += one->steps;
		sum.ends += one->ends;
		sum.dropped += one->dropped;
		sum.cut += one->cut;
		sum.found += one->found;
		sum.unshown += one->unshown;
		sum.timed += one->timed;
	}
	return sum;
}

struct mz_cartesian_counts mz_states_settled(const struct mz_states_memory *memory, uint32_t seat)
{
	return memory->states->seats[seat].settled;
}

/* ---- whether the memory makes sense ---- */

/* Returns whether an area has all chunks for so many bytes, and within the book. */
static bool are_chunks_sound(const struct mz_states_memory *memory, const uint32_t *chunks, uint64_t bytes)
{
	const struct mz_states *s = memory->states;
	uint64_t most = memory->book_size / s->chunk, n = (bytes + s->chunk - 1) / s->chunk;
	if (n > MZ_STATES_CHUNKS) return false;
	for (uint64_t i = 0; i < n; i++)
		if (!chunks[i] || chunks[i] > most || mz_states_round(sizeof *s) + chunks[i] * s->chunk > s->size)
			return false;
	return true;
}

/* Returns whether the book makes sense if it has as much as `extent` says. */
static bool is_book_sound_up_to(const struct mz_states_memory *memory, const struct mz_states_extent *extent)
{
	const struct mz_states *s = memory->states;
	bool good = extent->states <= s->most / sizeof(struct mz_state_record);
	good &= extent->blocks <= s->most / MZ_STATES_BLOCK && extent->numbers <= s->most / sizeof(uint32_t);
	good &= extent->links <= s->most / sizeof(struct mz_state_link);
	good &= s->nthreads >= 1 && s->nthreads <= MZ_SESSION_THREADS && s->nseats <= MZ_STATES_SEATS;
	good &= s->nopen <= extent->states && s->nactive <= extent->states && s->naside <= extent->states;
	good &= s->change.seat < MZ_STATES_SEATS;
	if (!good) return false;
	const uint64_t bytes[MZ_STATES_AREAS] = {extent->states * sizeof(struct mz_state_record),
	                                         extent->links * sizeof(struct mz_state_link),
	                                         extent->blocks * MZ_STATES_BLOCK, extent->numbers * sizeof(uint32_t)};
	for (size_t area = 0; area < MZ_STATES_AREAS; area++)
		good &= are_chunks_sound(memory, s->chunks[area], bytes[area]);
	return good;
}

static bool is_book_sound(const struct mz_states_memory *memory)
{
	return is_book_sound_up_to(memory, &memory->states->extent);
}

static bool is_table_sound(const struct mz_states_memory *memory, const struct mz_states_table *table)
{
	const uint32_t slots = table->slots;
	return slots && (slots & (slots - 1)) == 0 && slots <= memory->most / sizeof(uint64_t) && table->used < slots;
}

static bool are_tables_sound(const struct mz_states_memory *memory)
{
	const struct mz_states_index *index = mz_states_index(memory->states);
	return is_table_sound(memory, &index->known) && is_table_sound(memory, &index->known_blocks);
}

static bool is_index_sound(const struct mz_states_memory *memory)
{
	struct mz_states *s = memory->states;
	const struct mz_states_index *index = mz_states_index(s);
	bool good = index->states <= s->extent.states && index->blocks <= s->extent.blocks && are_tables_sound(memory);
	for (size_t i = 0; i < MZ_STATES_WORKERS; i++) {
		const struct mz_states_queue *queue = &index->queues[i];
		good &= queue->length <= s->extent.states;
		good &= !queue->length || (queue->first < s->extent.states && queue->last < s->extent.states);
	}
	return good;
}

static bool is_sound(const struct mz_states_memory *memory)
{
	return mz_states_is_intact(memory) && is_book_sound(memory) && is_index_sound(memory);
}

/* The same when a worker was killed that had the lock: the index, in which it may have left anything half done, is made again. */
static bool can_be_mended(const struct mz_states_memory *memory)
{
	return mz_states_is_intact(memory) && is_book_sound(memory) && are_tables_sound(memory);
}

/* Takes the lock of this machine: others may change their copies meanwhile. */
static bool lock_soundly(struct mz_states_memory *memory)
{
	struct mz_states *s = memory->states;
	struct timespec until;
	if (!mz_states_is_intact(memory)) return false;
	memory->link->lock.__data.__kind = memory->lock_kind;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LOCK_SECONDS;
	int failed = pthread_mutex_timedlock(&memory->link->lock, &until);
	if (failed && failed != EOWNERDEAD) return false;
	bool good = failed ? can_be_mended(memory) : is_sound(memory);
	/* what is about to become the extent has to make sense, too */
	if (good && failed && s->change.complete) good = is_book_sound_up_to(memory, &s->change.extent);
	if (good && failed) mz_states_mend(s);
	if (failed) pthread_mutex_consistent(&memory->link->lock);
	if (!good) pthread_mutex_unlock(&memory->link->lock);
	return good;
}

static void unlock(struct mz_states_memory *memory)
{
	pthread_mutex_unlock(&memory->link->lock);
}

/* ---- workers that are gone ---- */

bool mz_states_lose_worker(struct mz_states_memory *memory, uint32_t worker, uint8_t most, uint32_t *state)
{
	*state = MZ_NO_STATE;
	if (!lock_soundly(memory)) return false;
	struct mz_states_index *index = mz_states_index(memory->states);
	if (index->current[worker]) *state = index->current[worker] - 1;
	index->current[worker] = 0;
	index->hungry[worker] = 0;
	if (index->judge == worker + 1) index->judge = 0;
	mz_states_open_taken(memory->states, worker, worker, *state, most);
	unlock(memory);
	return true;
}

void mz_states_lose_seat(struct mz_states_memory *memory, uint32_t worker, uint32_t seat)
{
	mz_states_index(memory->states)->hungry[worker] = 0;
	if (atomic_exchange(&memory->states->seats[seat].lost, 1) == 0) atomic_fetch_add(&memory->link->losses, 1);
}

/* ---- what is known ---- */

bool mz_states_count_checked(struct mz_states_memory *memory, struct mz_states_counts *counts)
{
	*counts = (struct mz_states_counts){0};
	if (!lock_soundly(memory)) return false;
	*counts = count(memory->states);
	unlock(memory);
	return true;
}

uint32_t mz_states_threads(struct mz_states_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS])
{
	const struct mz_states *s = memory->states;
	if (!lock_soundly(memory)) return 0;
	uint32_t n = s->nthreads;
	for (uint32_t t = 0; t < n; t++) {
		struct mz_session_thread who = s->threads[t];
		bool known = t > 0 && who.parent < t && who.nth >= 1 && who.nth <= MZ_SESSION_THREADS;
		threads[t] = known ? who : (struct mz_session_thread){MZ_NO_THREAD, 0};
	}
	unlock(memory);
	return n;
}

uint32_t mz_states_path(struct mz_states_memory *memory, uint32_t state, struct mz_step *steps, uint32_t room)
{
	struct mz_states *s = memory->states;
	if (!is_sound(memory) || state >= s->extent.states) return UINT32_MAX;
	uint32_t depth = mz_states_record(s, state)->depth, left = depth;
	if (depth > room) return UINT32_MAX;
	while (left) {
		struct mz_origin origin = mz_states_record(s, state)->origin;
		if (origin.parent >= s->extent.states || origin.steps == 0 || origin.steps > left) return UINT32_MAX;
		for (uint32_t n = 0; n < origin.steps; n++)
			steps[--left] = (struct mz_step){origin.thread, n ? 0 : origin.choice};
		state = origin.parent;
	}
	return depth;
}

/* ---- copies ---- */

static size_t used_of(const struct mz_states *s)
{
	size_t used = mz_states_round(sizeof *s) + s->nchunks * s->chunk;
	return used < s->size ? used : s->size;
}

void *mz_states_copy(struct mz_states_memory *memory, size_t *size)
{
	if (!lock_soundly(memory)) return NULL;
	*size = used_of(memory->states);
	void *copy = mz_alloc(*size);
	if (copy) memcpy(copy, memory->states, *size);
	unlock(memory);
	return copy;
}

static bool are_records_sound(struct mz_states *s)
{
	bool good = true;
	for (uint32_t n = 0; n < s->extent.states; n++) {
		const struct mz_state_record *record = mz_states_record(s, n);
		good &= record->status <= MZ_STATE_ASIDE && record->seat < MZ_STATES_SEATS;
		good &= record->origin.parent < n || (record->origin.parent == MZ_NO_STATE && n == 0);
		good &= record->blocks + record->size / MZ_STATES_BLOCK <= s->extent.numbers;
	}
	return good;
}

static bool is_copy_sound(struct mz_states *old, size_t size, const struct mz_states *s)
{
	const struct mz_states_memory memory = {.states = old, .most = old->most, .book_size = old->size};
	return size >= sizeof *old && mz_states_is_intact(&memory) && size == used_of(old) && old->exact == s->exact &&
	       is_book_sound(&memory) && are_records_sound(old);
}

/* The new memory may have room for more than the old one. */
bool mz_states_restore(struct mz_states_memory *memory, void *copy, size_t size)
{
	struct mz_states *s = memory->states, *old = copy;
	if (!is_copy_sound(old, size, s)) return false;
	const uint64_t counts[MZ_STATES_AREAS] = {old->extent.states, old->extent.links, old->extent.blocks,
	                                          old->extent.numbers};
	for (size_t area = 0; area < MZ_STATES_AREAS; area++)
		for (uint64_t n = 0; n < counts[area]; n++)
			if (!mz_states_take_over(s, (enum mz_states_area)area, n, old)) return false;
	s->operations = old->operations;
	s->generation = old->generation;
	s->learned = old->learned;
	s->extent = old->extent;
	s->nthreads = old->nthreads;
	memcpy(s->threads, old->threads, sizeof s->threads);
	s->nseats = old->nseats;
	memcpy(s->seats, old->seats, sizeof s->seats);
	for (uint32_t n = 0; n < s->extent.states; n++) {
		struct mz_state_record *record = mz_states_record(s, n);
		if (record->status == MZ_STATE_ASIDE) record->status = MZ_STATE_OPEN; /* it may do better this time */
		record->losses = 0;
	}
	mz_states_mend(s);
	for (uint32_t seat = 0; seat < MZ_STATES_SEATS; seat++) {
		s->seats[seat].lost = 0;
		if (s->seats[seat].joined) mz_states_open_taken(s, seat, seat % MZ_STATES_WORKERS, MZ_NO_STATE, 0);
	}
	return true;
}

/* ---- beginning ---- */

/* Forgets all states. What they took of the memory is used again. */
static void clear(struct mz_states *s)
{
	s->extent = (struct mz_states_extent){0};
	s->nopen = s->nactive = s->naside = 0;
	s->generation++;
	for (uint32_t i = 0; i < s->nseats; i++) s->seats[i].settled = (struct mz_cartesian_counts){0};
}

bool mz_states_begin(struct mz_states_memory *memory, struct mz_session_learned *learned)
{
	struct mz_states *s = memory->states;
	if (!mz_states_is_intact(memory)) return false;
	mz_states_lock(s);
	if (mz_learned_merge(&s->learned, learned) && s->extent.states && !memory->link->severed) clear(s);
	*learned = s->learned;
	mz_states_catch_up(s);
	mz_states_unlock(s);
	return true;
}

uint32_t mz_states_generation(const struct mz_states_memory *memory)
{
	return memory->states->generation;
}

bool mz_states_any(const struct mz_states_memory *memory)
{
	return memory->states->extent.states > 0;
}

/* ---- copies on other machines ---- */

static struct mz_states *states_of(void *self)
{
	const struct mz_states_memory *memory = self;
	return memory->states;
}

static size_t used(void *self)
{
	return used_of(states_of(self));
}

/* Returns whether a member has the seat. What its worker had taken may still have to be opened if not, which whoever has the lock
 * next does before anything else. */
static bool is_taken(const struct mz_states_seat *seat)
{
	return seat->joined && seat->member;
}

static bool seat(void *self, uint32_t member, uint32_t n, uint32_t *seats)
{
	struct mz_states *s = states_of(self);
	uint32_t given = 0;
	for (uint32_t i = 0; i < mz_replica_seats() && given < n; i++) {
		if (is_taken(&s->seats[i])) continue;
		s->seats[i].joined = 1;
		s->seats[i].member = member;
		seats[given++] = i;
		if (i >= s->nseats) s->nseats = i + 1;
	}
	return given == n;
}

static uint32_t count_seats(void *self)
{
	const struct mz_states *s = states_of(self);
	uint32_t taken = 0;
	for (uint32_t i = 0; i < s->nseats && i < MZ_STATES_SEATS; i++) taken += is_taken(&s->seats[i]);
	return taken;
}

static void lose_member(void *self, uint32_t member)
{
	struct mz_states *s = states_of(self);
	for (uint32_t i = 0; i < MZ_STATES_SEATS; i++) {
		struct mz_states_seat *seat = &s->seats[i];
		if (!seat->joined || seat->member != member) continue;
		seat->lost = 1;
		seat->member = 0;
	}
}

static uint32_t count_lost(void *self)
{
	const struct mz_states *s = states_of(self);
	uint32_t lost = 0;
	for (uint32_t i = 0; i < MZ_STATES_SEATS; i++) lost += s->seats[i].lost != 0;
	return lost;
}

static struct mz_replica_total total(void *self)
{
	const struct mz_states *s = states_of(self);
	return (struct mz_replica_total){mz_states_total(s).states, "states",
	                                 s->extent.states && !s->nopen && !s->nactive};
}

struct mz_replica mz_states_replica(struct mz_states_memory *memory)
{
	return (struct mz_replica){.self = memory,
	                           .base = (char *)memory->states,
	                           .size = memory->states->size,
	                           .head = sizeof(struct mz_states),
	                           .link = memory->link,
	                           .used = used,
	                           .seat = seat,
	                           .seats = count_seats,
	                           .lose_member = lose_member,
	                           .count_lost = count_lost,
	                           .total = total};
}
