/* SPDX-License-Identifier: MIT
 *
 * A process can be killed at any time, also while it holds the lock. What it changes in the trunk is in order after each
 * single store: a sequence is built before it is linked, a graft before it is put in its place; a leaf that the process
 * had taken is opened by the next process that gets the lock. What the killed process had allocated and not linked is
 * not used again.
 *
 * What a worker has explored counts from the moment in which its leaf is done, or is replaced by a graft, and that is one
 * store as well. Before it the new counts are noted beside the old ones, with the leaf: so it can be told afterwards which
 * of them are right.
 */
#include "explorer/shared_trunk.h"
#include "base/alloc.h"
#include "base/array.h"
#include "explorer/learned.h"
#include "explorer/outcome.h"
#include "explorer/shared_memory.h"
#include "explorer/trunk_memory.h"
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAP_NANOSECONDS 100000L         /* how long a worker with nothing to do sleeps before it looks around, */
#define LINKED_NAP_NANOSECONDS 5000000L /* also if others than those of this machine have to be asked */
#define NAPS 200                        /* how often it looks around before it takes the lock, whatever it saw, */
#define LINKED_NAPS 1000                /* also if others have to be asked */

#define GRAPHS_MOST 4096              /* how many graphs a worker keeps before it tells the others, */
#define CLOSED_NANOSECONDS 50000000UL /* and for how long those that it has closed, if it does not tell at once */

/* ---- memory ---- */

static int map(struct mz_trunk_memory *memory, int fd, size_t size, uintptr_t address)
{
	void *got = mz_shared_memory_map(fd, size, address);
	if (!got) return -1;
	*memory = (struct mz_trunk_memory){.shared = got, .size = size, .fd = fd};
	memory->link = mz_trunk_link_of(memory->shared);
	return 0;
}

int mz_trunk_memory_open(struct mz_trunk_memory *memory, size_t most, size_t size)
{
	const size_t limit = ((sizeof(struct mz_shared_trunk) + most) + 4095) & ~4095UL;
	if (!size) size = limit;
	size_t whole = (size + mz_link_size(size) + 4095) & ~4095UL;
	int fd = mz_shared_memory_make("mazurka-trunk", whole);
	if (fd < 0) return -1;
	if (map(memory, fd, whole, 0) != 0) {
		close(fd);
		return -1;
	}
	struct mz_shared_trunk *shared = memory->shared;
	shared->size = size;
	shared->most = limit < size ? limit : size;
	memory->link = mz_trunk_link_of(shared);
	shared->used = (sizeof *shared + 63) & ~63UL;
	shared->nthreads = 1;
	shared->threads[0] = (struct mz_session_thread){MZ_NO_THREAD, 1};
	if (mz_shared_lock_make(&memory->link->lock) != 0) {
		mz_trunk_memory_close(memory);
		return -1;
	}
	shared->magic = MZ_TRUNK_MAGIC;
	return 0;
}

int mz_trunk_memory_attach(struct mz_trunk_memory *memory, int fd, uintptr_t address)
{
	struct stat status;
	if (fstat(fd, &status) != 0 || (size_t)status.st_size < sizeof(struct mz_shared_trunk)) return -1;
	if (map(memory, fd, (size_t)status.st_size, address) != 0) return -1;
	return memory->shared->magic == MZ_TRUNK_MAGIC ? 0 : -1;
}

void mz_trunk_memory_close(struct mz_trunk_memory *memory)
{
	munmap(memory->shared, memory->size);
	close(memory->fd);
}

/* ---- what counts ---- */

static struct mz_trunk_seat *seat_of(const struct mz_trunk_user *user)
{
	return &user->shared->seats[user->worker.number];
}

/* Has what `next` says count. All of it, or nothing, if the worker is killed meanwhile. */
static void count_next(struct mz_trunk_seat *seat)
{
	atomic_signal_fence(memory_order_seq_cst);
	seat->sure = 1;
	atomic_signal_fence(memory_order_seq_cst);
	seat->leaf = NULL;
	seat->settled = seat->next;
	atomic_signal_fence(memory_order_seq_cst);
	seat->sure = 0;
}

/* Decides whether what a worker that is gone was about to settle counts. */
static void mend_seat(struct mz_trunk_seat *seat)
{
	const struct mz_wakeup *leaf = seat->leaf;
	if (seat->sure || (leaf && (leaf->state == MZ_TRUNK_DONE || leaf->first != seat->plan))) count_next(seat);
	seat->leaf = NULL;
}

/* ---- the lock ---- */

/* A worker that has died with the lock may have been settling a leaf. That is decided before anybody else can change the
 * leaf, or cut it down and use its memory again. */
static void lock(struct mz_shared_trunk *shared)
{
	if (!mz_link_lock(mz_trunk_link_of(shared))) return;
	for (uint32_t n = 0; n < shared->nseats && n < MZ_TRUNK_WORKERS; n++) mend_seat(&shared->seats[n]);
}

static void unlock(struct mz_shared_trunk *shared)
{
	mz_link_unlock(mz_trunk_link_of(shared));
}

static uint32_t find_thread(const struct mz_shared_trunk *shared, struct mz_session_thread who, uint32_t known)
{
	uint32_t number = 1;
	while (number < known &&
	       (shared->threads[number].parent != who.parent || shared->threads[number].nth != who.nth))
		number++;
	return number;
}

uint32_t mz_trunk_number(struct mz_shared_trunk *shared, struct mz_session_thread who)
{
	uint32_t known = __atomic_load_n(&shared->nthreads, __ATOMIC_ACQUIRE);
	uint32_t number = find_thread(shared, who, known);
	if (number < known) return number;
	lock(shared);
	number = find_thread(shared, who, shared->nthreads);
	if (number == MZ_SESSION_THREADS) {
		number = MZ_NO_THREAD;
	} else if (number == shared->nthreads) {
		shared->threads[number] = who;
		__atomic_store_n(&shared->nthreads, number + 1, __ATOMIC_RELEASE);
	}
	unlock(shared);
	return number;
}

/* ---- workers ---- */

/* Opens the leaves of workers that are gone. */
static void mend(struct mz_trunk_user *user)
{
	struct mz_shared_trunk *shared = user->shared;
	for (uint32_t n = 0; n < shared->nseats && n < MZ_TRUNK_WORKERS; n++) {
		struct mz_trunk_seat *seat = &shared->seats[n];
		if (!seat->lost) continue;
		mend_seat(seat);
		if (!mz_trunk_lose(&user->worker, n)) continue;
		seat->lost = 0;
		user->link->losses--;
	}
}

/* Forgets all that was explored. What the trunk consists of is not used again. Whoever is lost in between, the next one
 * who has the lock does it again. */
static void finish_clearing(struct mz_shared_trunk *shared)
{
	mz_trunk_clear(&shared->trunk);
	shared->graphs = shared->closed = (struct mz_shared_keys){0};
	shared->phase = shared->next_phase;
	for (uint32_t n = 0; n < shared->nseats; n++) {
		shared->seats[n].leaf = NULL;
		shared->seats[n].sure = 0;
		shared->seats[n].settled = (struct mz_trunk_counts){0};
	}
	shared->generation = shared->next_generation;
	atomic_signal_fence(memory_order_seq_cst);
	shared->clearing = 0;
}

/* Forgets all that was explored, and begins with a phase. */
static void clear(struct mz_shared_trunk *shared, struct mz_trunk_phase phase)
{
	shared->next_phase = phase;
	shared->next_generation = shared->generation + 1;
	atomic_signal_fence(memory_order_seq_cst);
	shared->clearing = 1;
	atomic_signal_fence(memory_order_seq_cst);
	finish_clearing(shared);
}

static void add_graphs(struct mz_trunk_user *user);
static void add_closed(struct mz_trunk_user *user);

static void lock_for(void *self)
{
	struct mz_trunk_user *user = self;
	lock(user->shared);
	user->inside = true;
	user->shared->operations++;
	if (user->shared->clearing) finish_clearing(user->shared);
	if (user->link->losses) mend(user);
	user->worker.outdated = user->generation != user->shared->generation || user->link->severed;
	if (user->ngraphs) add_graphs(user); /* before executions count that have them */
	if (user->nclosed) add_closed(user);
}

static void unlock_for(void *self)
{
	struct mz_trunk_user *user = self;
	user->inside = false;
	unlock(user->shared);
}

static bool begin_reading(void *self)
{
	const struct mz_trunk_user *user = self;
	return mz_link_begin_reading(user->link, user->session->worker);
}

static void end_reading(void *self)
{
	const struct mz_trunk_user *user = self;
	mz_link_end_reading(user->link, user->session->worker);
}

/* Notes that memory of a trunk that is linked has changed. */
static void touch(struct mz_shared_trunk *shared, const void *at, size_t size)
{
	size_t offset = (size_t)((const char *)at - (const char *)shared);
	if (offset >= shared->size) return; /* not a part of the trunk yet */
	for (size_t page = offset / MZ_LINK_PAGE; page <= (offset + size - 1) / MZ_LINK_PAGE; page++)
		mz_trunk_link_of(shared)->touched[page] = 1;
}

static void touched(void *toucher, const void *at, size_t size)
{
	touch(((const struct mz_trunk_user *)toucher)->shared, at, size);
}

/* ---- what else is in the memory ---- */

void mz_trunk_enter(struct mz_shared_trunk *shared)
{
	lock(shared);
}

void mz_trunk_exit(struct mz_shared_trunk *shared)
{
	unlock(shared);
}

void *mz_trunk_take_memory(struct mz_shared_trunk *shared, size_t size)
{
	size = (size + 63) & ~63UL;
	uint64_t at = atomic_fetch_add(&shared->used, size);
	return at + size <= shared->most ? (char *)shared + at : NULL;
}

bool mz_trunk_is_linked(struct mz_shared_trunk *shared)
{
	return mz_trunk_link_of(shared)->linked;
}

void mz_trunk_touch(struct mz_shared_trunk *shared, const void *at, size_t size)
{
	if (mz_trunk_is_linked(shared)) touch(shared, at, size);
}

struct mz_trunk_notes *mz_trunk_notes(struct mz_shared_trunk *shared)
{
	return &shared->notes;
}

/* ---- memory for additions ---- */

#define EXTENT_SIZE ((size_t)256 << 10)

/* Takes memory for this worker alone, under the lock: other machines take from the same memory. */
static bool extend(struct mz_trunk_user *user, size_t size)
{
	struct mz_shared_trunk *shared = user->shared;
	bool inside = user->inside;
	size_t much = size > EXTENT_SIZE ? size : EXTENT_SIZE;
	if (!inside) lock_for(user);
	bool fits = shared->used + much <= shared->most;
	if (fits) {
		user->free = (char *)shared + shared->used;
		user->free_end = user->free + much;
		shared->used += much;
	}
	if (!inside) unlock_for(user);
	return fits;
}

static void *take_memory(struct mz_arena_source *source, size_t size)
{
	struct mz_trunk_user *user = (struct mz_trunk_user *)((char *)source - offsetof(struct mz_trunk_user, source));
	struct mz_shared_trunk *shared = user->shared;
	size = (size + 63) & ~63UL;
	if (!user->link->linked) return mz_trunk_take_memory(shared, size);
	if ((size_t)(user->free_end - user->free) < size && !extend(user, size)) return NULL;
	user->free += size;
	return user->free - size;
}

bool mz_trunk_has_news(const struct mz_trunk_user *user)
{
	const struct mz_shared_trunk *shared = user->shared;
	const struct mz_trunk_link *link = user->link;
	if (!atomic_load_explicit(&shared->trunk.wanted, memory_order_relaxed) || link->losses || link->severed)
		return true;
	return mz_trunk_is_done(&shared->trunk) || shared->generation != user->generation;
}

/* Sleeps until there may be something to take, but not for long. Returns false if the worker is to stop. */
static bool nap(void *self)
{
	const struct mz_trunk_user *user = self;
	struct mz_session *session = user->session;
	const bool linked = user->link->linked;
	const struct timespec time = {0, linked ? LINKED_NAP_NANOSECONDS : NAP_NANOSECONDS};
	const int most = linked ? LINKED_NAPS : NAPS;
	bool stop = false;
	atomic_store_explicit(&session->thinking, MZ_SESSION_THINKING, memory_order_relaxed);
	for (int naps = 0; naps < most && !stop && (naps == 0 || !mz_trunk_has_news(user)); naps++) {
		nanosleep(&time, NULL);
		session->pulse++;
		stop = atomic_load_explicit(&session->stop, memory_order_relaxed);
	}
	atomic_store_explicit(&session->thinking, 0, memory_order_relaxed);
	return !stop;
}

static struct mz_trunk_counts count(void *self)
{
	const struct mz_trunk_user *user = self;
	return user->count(user->counter);
}

static void settle(void *self, const struct mz_wakeup *leaf, const struct mz_trunk_counts *counts)
{
	struct mz_trunk_seat *seat = seat_of(self);
	seat->next = *counts;
	seat->plan = leaf->first;
	atomic_signal_fence(memory_order_seq_cst);
	seat->leaf = leaf;
	atomic_signal_fence(memory_order_seq_cst);
}

static void settled(void *self)
{
	count_next(seat_of(self));
}

/* ---- graphs that are counted together ---- */

/* Adds keys to a set that all workers share, with the lock held. If workers begin anew they are of no use. */
static void add_keys(struct mz_trunk_user *user, struct mz_shared_keys *set, const struct mz_key *keys, size_t count)
{
	struct mz_shared_trunk *shared = user->shared;
	for (size_t n = 0; n < count && !user->worker.outdated; n++) {
		const void *at = mz_shared_keys_add(set, shared, &user->source, keys[n]);
		if (!at) {
			user->full = user->worker.failed = true;
			break;
		}
		mz_trunk_touch(shared, at, sizeof(struct mz_key));
		mz_trunk_touch(shared, (char *)shared + set->table, MZ_SHARED_KEYS_HEAD);
	}
}

/* Adds the graphs that this worker has noted to those of all, with the lock held. */
static void add_graphs(struct mz_trunk_user *user)
{
	add_keys(user, &user->shared->graphs, user->graphs, user->ngraphs);
	user->ngraphs = 0;
}

/* Keeps a graph until the worker has the lock anyway, or there are many. */
static bool note_graph(void *self, struct mz_key graph)
{
	struct mz_trunk_user *user = self;
	if (!mz_array_reserve(&user->graphs, &user->graphs_capacity, user->ngraphs + 1)) return false;
	user->graphs[user->ngraphs++] = graph;
	if (user->ngraphs == GRAPHS_MOST) mz_trunk_look(user);
	return !user->full;
}

void mz_trunk_tell_graphs(struct mz_trunk_user *user)
{
	if (user->ngraphs || user->nclosed) mz_trunk_look(user);
	mz_free(user->graphs);
	mz_free(user->closed);
	user->graphs = user->closed = NULL;
	user->graphs_capacity = user->closed_capacity = 0;
}

void mz_trunk_count_together(struct mz_trunk_user *user)
{
	user->worker.note_graph = note_graph;
}

/* ---- graphs that are closed ---- */

/* Adds the graphs that this worker has closed to those of all, with the lock held. What it has explored counts before that: if
 * the worker is killed in between, another one executes the last graph again, which counts as executed twice. */
static void add_closed(struct mz_trunk_user *user)
{
	struct mz_shared_trunk *shared = user->shared;
	if (!user->worker.outdated) {
		seat_of(user)->next = user->count(user->counter);
		count_next(seat_of(user));
		shared->trunk.root.refused |= user->worker.refused;
	}
	add_keys(user, &shared->closed, user->closed, user->nclosed);
	user->nclosed = 0;
	if (user->link->linked) user->told = mz_now();
}

static bool close_graph(void *self, struct mz_key graph)
{
	struct mz_trunk_user *user = self;
	if (!mz_array_reserve(&user->closed, &user->closed_capacity, user->nclosed + 1)) return false;
	user->closed[user->nclosed++] = graph;
	return true;
}

/* Others on other machines are told of many graphs at a time. */
static bool tell_closed(void *self)
{
	struct mz_trunk_user *user = self;
	if (!user->nclosed) return true;
	bool due = !user->link->linked || user->nclosed >= GRAPHS_MOST || mz_now() - user->told > CLOSED_NANOSECONDS;
	if (due) mz_trunk_look(user);
	return !user->full;
}

static bool is_closed(void *self, struct mz_key graph)
{
	struct mz_trunk_user *user = self;
	if (!begin_reading(user)) return false;
	bool closed = mz_shared_keys_has(&user->shared->closed, user->shared, graph);
	end_reading(user);
	return closed;
}

/* Has the executions count that the worker makes from now on, and those of workers that it replaces. What it says before
 * it has noticed that all begin anew is of an earlier generation, and counts no more. */
static void begin_counting(struct mz_trunk_user *user)
{
	struct mz_trunk_seat *seat = seat_of(user);
	user->before = seat->settled;
	seat->executions = user->before.executions + user->before.redundant + user->before.assumed;
	atomic_store_explicit(&seat->generation, user->generation, memory_order_release);
}

/* Has all machines use as much of the memory as this one may: the run may have been begun with less, and come to an end there. */
static void raise_limit(struct mz_shared_trunk *shared, const struct mz_configuration *configuration)
{
	size_t most = sizeof *shared + (configuration->max_memory ? configuration->max_memory : MZ_REPLICA_MEMORY);
	if (most > shared->size) most = shared->size;
	if (most > shared->most) shared->most = most;
}

void mz_trunk_join(struct mz_trunk_user *user, struct mz_shared_trunk *shared, struct mz_session *session)
{
	user->shared = shared;
	user->link = mz_trunk_link_of(shared);
	user->session = session;
	mz_link_serve(session);
	user->source.take = take_memory;
	user->worker = (struct mz_trunk_worker){.trunk = &shared->trunk,
	                                        .number = session->seat,
	                                        .self = user,
	                                        .collects = session->inputs.memory < 0,
	                                        .lock = lock_for,
	                                        .unlock = unlock_for,
	                                        .begin_reading = begin_reading,
	                                        .end_reading = end_reading,
	                                        .wait = nap,
	                                        .count = count,
	                                        .settle = settle,
	                                        .settled = settled,
	                                        .is_closed = is_closed,
	                                        .close = close_graph,
	                                        .tell_closed = tell_closed};
	user->worker.wakeups.pool.arena.source = &user->source;
	user->worker.wakeups.events.arena.source = &user->source;
	if (user->link->linked) user->worker.wakeups.touched = touched;
	user->worker.wakeups.toucher = user;
	lock_for(user);
	/* a worker that this one replaces may have died before it could tell what it had learned */
	if (mz_learned_merge(&shared->learned, &session->learned)) clear(shared, (struct mz_trunk_phase){0});
	session->learned = shared->learned;
	user->generation = shared->generation;
	user->phase = shared->phase;
	user->worker.outdated = user->link->severed;
	begin_counting(user);
	if (user->link->linked) raise_limit(shared, &session->configuration);
	seat_of(user)->joined = 1;
	/* others look through the seats without the lock */
	if (session->seat >= shared->nseats) __atomic_store_n(&shared->nseats, session->seat + 1, __ATOMIC_RELEASE);
	unlock_for(user);
}

/* Adds what a worker has learned to what all know. Returns whether there was something new. */
static bool share_learned(struct mz_trunk_user *user)
{
	struct mz_trunk *trunk = &user->shared->trunk;
	bool news = user->worker.spins && !trunk->spins;
	trunk->spins |= user->worker.spins;
	return mz_learned_merge(&user->shared->learned, &user->session->learned) || news;
}

void mz_trunk_begin_anew(struct mz_trunk_user *user)
{
	lock_for(user);
	if (share_learned(user) || !user->worker.outdated) clear(user->shared, (struct mz_trunk_phase){0});
	user->session->learned = user->shared->learned;
	user->generation = user->shared->generation;
	user->phase = user->shared->phase;
	user->worker.outdated = user->link->severed;
	begin_counting(user);
	mz_trunk_forget(&user->worker);
	/* the next search may be by another strategy, or within another bound */
	user->worker.forgets = user->worker.several = user->worker.refused = false;
	unlock_for(user);
}

static void decide_phase(struct mz_trunk_user *user,
                         void (*decide)(void *self, struct mz_trunk_phase *phase, struct mz_trunk_explored *explored),
                         void *self)
{
	struct mz_shared_trunk *shared = user->shared;
	struct mz_trunk_phase phase = shared->phase;
	struct mz_trunk_explored explored = {.counts = mz_trunk_sum_settled(shared),
	                                     .graphs = mz_shared_keys_count(&shared->graphs, shared, shared->size),
	                                     .refused = shared->trunk.root.refused,
	                                     .iteration = &shared->iterations[phase.bound]};
	if (phase.over || phase.bound >= MZ_SESSION_ITERATIONS) return;
	decide(self, &phase, &explored);
	clear(shared, phase); /* also after the last one, which others may still wait in */
}

void mz_trunk_look(struct mz_trunk_user *user)
{
	lock_for(user);
	unlock_for(user);
}

void mz_trunk_advance(struct mz_trunk_user *user,
                      void (*decide)(void *self, struct mz_trunk_phase *phase, struct mz_trunk_explored *explored),
                      void *self)
{
	lock_for(user);
	if (!user->worker.outdated) decide_phase(user, decide, self);
	user->phase = user->shared->phase;
	unlock_for(user);
}

uint64_t mz_trunk_executions(struct mz_trunk_user *user, uint64_t executions)
{
	uint64_t sum = 0;
	atomic_store_explicit(&seat_of(user)->executions, executions, memory_order_relaxed);
	const uint32_t nseats = __atomic_load_n(&user->shared->nseats, __ATOMIC_ACQUIRE);
	for (uint32_t n = 0; n < nseats && n < MZ_TRUNK_WORKERS; n++) {
		const struct mz_trunk_seat *seat = &user->shared->seats[n];
		if (atomic_load_explicit(&seat->generation, memory_order_acquire) != user->generation) continue;
		sum += atomic_load_explicit(&seat->executions, memory_order_relaxed);
	}
	return sum;
}

/* Returns whether a bug is known; the lock is held. */
static bool is_known(const struct mz_shared_trunk *shared, uint64_t key)
{
	uint32_t n = 0;
	while (n < shared->nbugs && n < MZ_SESSION_FINDINGS && shared->bugs[n] != key) n++;
	return n < shared->nbugs && n < MZ_SESSION_FINDINGS;
}

void mz_trunk_tell_bug(struct mz_trunk_user *user, uint64_t key)
{
	struct mz_shared_trunk *shared = user->shared;
	lock_for(user);
	if (!is_known(shared, key) && shared->nbugs < MZ_SESSION_FINDINGS) {
		shared->bugs[shared->nbugs] = key;
		atomic_signal_fence(memory_order_seq_cst);
		shared->nbugs++;
	}
	unlock_for(user);
}

bool mz_trunk_knows_bug(struct mz_trunk_user *user, uint64_t key)
{
	lock_for(user);
	bool known = is_known(user->shared, key);
	unlock_for(user);
	return known;
}

void mz_trunk_gather(struct mz_trunk_user *user)
{
	uint32_t joined;
	do {
		joined = 0;
		for (uint32_t n = 0; n < user->shared->nseats; n++) joined += user->shared->seats[n].joined;
	} while (nap(user) && joined < user->session->configuration.jobs);
}

bool mz_trunk_is_explored(const struct mz_trunk_user *user)
{
	return mz_trunk_is_done(&user->shared->trunk);
}
