/* SPDX-License-Identifier: MIT
 *
 * The supervisor's side of a trunk that workers share: who is gone, what counts, and copies, for later runs and for other machines.
 */
#include "base/alloc.h"
#include "explorer/trunk_memory.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#define PATIENCE_SECONDS 1 /* how long a copy of the trunk waits for its lock */

/* ---- workers ---- */

void mz_trunk_lose_worker(struct mz_trunk_memory *memory, uint32_t seat)
{
	if (atomic_exchange(&memory->shared->seats[seat].lost, 1) == 0) atomic_fetch_add(&memory->link->losses, 1);
}

struct mz_trunk_counts mz_trunk_settled(struct mz_trunk_memory *memory, uint32_t seat)
{
	return memory->shared->seats[seat].settled;
}

size_t mz_trunk_size(const struct mz_trunk_memory *memory)
{
	return (size_t)((const char *)memory->link - (const char *)memory->shared);
}

/* ---- copies on other machines ---- */

static struct mz_shared_trunk *shared_of(void *self)
{
	const struct mz_trunk_memory *memory = self;
	return memory->shared;
}

static size_t used(void *self)
{
	const struct mz_trunk_memory *memory = self;
	size_t used = memory->shared->used;
	return used < memory->size ? used : memory->size;
}

/* Returns whether a member has the seat. What its worker had taken may still have to be opened if not: whoever gets the seat does
 * that before anything else, unless another worker did. */
static bool is_taken(const struct mz_trunk_seat *seat)
{
	return seat->joined && seat->member;
}

static uint32_t count_seats(void *self)
{
	const struct mz_shared_trunk *shared = shared_of(self);
	uint32_t taken = 0;
	for (uint32_t i = 0; i < shared->nseats && i < MZ_TRUNK_WORKERS; i++) taken += is_taken(&shared->seats[i]);
	return taken;
}

static uint32_t count_lost(void *self)
{
	uint32_t lost = 0;
	for (uint32_t i = 0; i < MZ_TRUNK_WORKERS; i++) lost += shared_of(self)->seats[i].lost != 0;
	return lost;
}

static bool give_seats(void *self, uint32_t member, uint32_t n, uint32_t *seats)
{
	struct mz_shared_trunk *shared = shared_of(self);
	uint32_t given = 0;
	for (uint32_t i = 0; i < mz_replica_seats() && given < n; i++) {
		struct mz_trunk_seat *seat = &shared->seats[i];
		if (is_taken(seat)) continue;
		seat->joined = 1;
		seat->member = member;
		seats[given++] = i;
		if (i >= shared->nseats) shared->nseats = i + 1;
	}
	return given == n;
}

static void lose_member(void *self, uint32_t member)
{
	for (uint32_t i = 0; i < MZ_TRUNK_WORKERS; i++) {
		struct mz_trunk_seat *seat = &shared_of(self)->seats[i];
		if (!seat->joined || seat->member != member) continue;
		mz_trunk_lose_worker(self, i);
		seat->member = 0;
	}
}

static struct mz_replica_total total(void *self)
{
	const struct mz_trunk_memory *memory = self;
	struct mz_replica_total sum = {.what = "executions", .whole = mz_trunk_is_whole(memory)};
	const bool raised = memory->raises && sum.whole;
	sum.number = raised ? memory->shared->phase.counts.executions : mz_trunk_sum_settled(memory->shared).executions;
	return sum;
}

struct mz_replica mz_trunk_replica(struct mz_trunk_memory *memory)
{
	return (struct mz_replica){.self = memory,
	                           .base = (char *)memory->shared,
	                           .size = mz_trunk_size(memory),
	                           .head = sizeof(struct mz_shared_trunk),
	                           .link = memory->link,
	                           .used = used,
	                           .seat = give_seats,
	                           .seats = count_seats,
	                           .lose_member = lose_member,
	                           .count_lost = count_lost,
	                           .total = total};
}

bool mz_trunk_is_whole(const struct mz_trunk_memory *memory)
{
	return memory->raises ? memory->shared->phase.over != 0 : mz_trunk_is_done(&memory->shared->trunk);
}

size_t mz_trunk_head_size(void)
{
	return sizeof(struct mz_shared_trunk);
}

struct mz_trunk_phase mz_trunk_phase(struct mz_trunk_memory *memory,
                                     struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS])
{
	struct mz_trunk_phase phase = memory->shared->phase;
	if (phase.bound >= MZ_SESSION_ITERATIONS || phase.iterations > MZ_SESSION_ITERATIONS)
		return (struct mz_trunk_phase){0}; /* the program has overwritten it */
	memcpy(iterations, memory->shared->iterations, sizeof memory->shared->iterations);
	return phase;
}

uint64_t mz_trunk_operations(const struct mz_trunk_memory *memory)
{
	return memory->shared->operations;
}

uint64_t mz_trunk_graphs(struct mz_trunk_memory *memory)
{
	return mz_shared_keys_count(&memory->shared->graphs, memory->shared, mz_trunk_size(memory));
}

uint32_t mz_trunk_threads(struct mz_trunk_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS])
{
	uint32_t n = memory->shared->nthreads;
	if (n > MZ_SESSION_THREADS) return 0;
	for (uint32_t t = 0; t < n; t++) {
		struct mz_session_thread who = memory->shared->threads[t];
		bool known = t > 0 && who.parent < t && who.nth >= 1 && who.nth <= MZ_SESSION_THREADS;
		threads[t] = known ? who : (struct mz_session_thread){MZ_NO_THREAD, 0};
	}
	return n;
}

/* ---- copies ---- */

static bool lock_soon(struct mz_trunk_link *link)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += PATIENCE_SECONDS;
	int got = pthread_mutex_clocklock(&link->lock, CLOCK_MONOTONIC, &until);
	if (got == EOWNERDEAD) {
		atomic_store(&link->died, 1);
		got = pthread_mutex_consistent(&link->lock);
	}
	return got == 0;
}

void *mz_trunk_memory_copy(struct mz_trunk_memory *memory, size_t *size)
{
	struct mz_shared_trunk *shared = memory->shared;
	if (!lock_soon(memory->link)) return NULL;
	*size = used(memory);
	void *copy = mz_alloc(*size);
	if (copy) memcpy(copy, shared, *size);
	pthread_mutex_unlock(&memory->link->lock);
	return copy;
}

bool mz_trunk_memory_restore(struct mz_trunk_memory *memory, const void *copy, size_t size)
{
	struct mz_shared_trunk *shared = memory->shared;
	const struct mz_shared_trunk *old = copy;
	const size_t head = sizeof *shared;
	if (size < head || size > shared->size || old->magic != MZ_TRUNK_MAGIC || old->nthreads > MZ_SESSION_THREADS)
		return false;
	memcpy((char *)shared + head, (const char *)copy + head, size - head);
	shared->used = (size + 63) & ~63UL;
	shared->trunk = old->trunk;
	shared->trunk.wanted = 0;
	shared->generation = old->generation;
	shared->operations = old->operations;
	shared->clearing = old->clearing;
	shared->next_generation = old->next_generation;
	shared->phase = old->phase;
	shared->next_phase = old->next_phase;
	memcpy(shared->iterations, old->iterations, sizeof shared->iterations);
	shared->graphs = old->graphs;
	shared->closed = old->closed;
	shared->learned = old->learned;
	shared->notes = old->notes;
	shared->nbugs = old->nbugs;
	memcpy(shared->bugs, old->bugs, sizeof shared->bugs);
	shared->nthreads = old->nthreads;
	memcpy(shared->threads, old->threads, sizeof shared->threads);
	shared->nseats = old->nseats;
	for (uint32_t n = 0; n < MZ_TRUNK_WORKERS; n++) {
		struct mz_trunk_seat *seat = &shared->seats[n];
		const struct mz_trunk_counts *settled = &old->seats[n].settled;
		memcpy(seat, &old->seats[n], sizeof *seat);
		seat->executions = settled->executions + settled->redundant + settled->assumed;
		seat->lost = seat->joined;
		memory->link->losses += seat->joined;
	}
	return true;
}
