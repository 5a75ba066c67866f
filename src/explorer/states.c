/* SPDX-License-Identifier: MIT
 *
 * The frontier of one worker. What it adds and finishes is collected, and becomes known in one operation, exchange(), by which
 * it also takes the next states: after a while, or at once when another worker of this machine has nothing to do.
 *
 * A worker takes half of what is open at most, so that there is something left for others; and gives back half of what it has
 * taken when others have nothing. Its own queue comes first, and if that is short, the longest: few states at a time would mean
 * many operations. It takes no more than it looks at until it is time for the next operation.
 */
#include "explorer/states.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "explorer/outcome.h"
#include "explorer/states_memory.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define INTERVAL_NANOSECONDS 100000000UL /* from one operation to the next, if nobody waits for it */
#define TAKEN_MOST 1024U                 /* how many states a worker takes at once */
#define TAKEN_FIRST 4U                   /* how many it does before it knows how long they take */
#define BYTES_MOST ((size_t)8 << 20)     /* bytes of states that are collected */
#define NAP_NANOSECONDS 200000L          /* how long a worker sleeps before it looks whether there are new states, */
#define LINKED_NAP_NANOSECONDS 20000000L /* also if others than those of this machine find them, */
#define WAIT_NANOSECONDS 500000000UL     /* and after how long it asks for them in any case */

struct mz_states_addition {
	struct mz_key key;
	struct mz_origin origin;
	size_t bytes, size; /* where its bytes are */
	uint32_t ticket;
	uint32_t state; /* when it is settled */
	bool is_new;
};

struct mz_states_finished {
	uint32_t state;
	struct mz_prospect prospect;
	struct mz_cartesian_counts counts; /* up to this state */
	size_t end;                        /* of its additions */
};

static void open_frontier(void *self, const struct mz_frontier_client *client)
{
	struct mz_states_user *user = self;
	user->client = *client;
}

struct mz_cartesian_counts mz_states_join(struct mz_states_user *user)
{
	struct mz_states *s = user->states;
	mz_states_lock(s);
	user->generation = s->generation;
	if (user->seat >= s->nseats) s->nseats = user->seat + 1;
	s->seats[user->seat].joined = 1;
	struct mz_cartesian_counts counts = s->seats[user->seat].settled;
	mz_states_unlock(s);
	return counts;
}

/* ---- additions ---- */

struct sought {
	const struct mz_states_user *user;
	struct mz_key key;
	const void *bytes;
	size_t size;
};

static bool is_sought(const void *key, uint64_t value)
{
	const struct sought *sought = key;
	const struct mz_states_addition *addition = &sought->user->additions[value - 1];
	if (addition->key.low != sought->key.low || addition->key.high != sought->key.high) return false;
	if (!sought->user->states->exact) return true;
	return addition->size == sought->size &&
	       memcmp(sought->user->bytes + addition->bytes, sought->bytes, sought->size) == 0;
}

static bool is_pending(const struct mz_states_user *user, struct mz_key key, const void *bytes, size_t size)
{
	const struct sought sought = {user, key, bytes, size};
	return mz_table_find_equal(&user->pending, key.low, is_sought, &sought) != 0;
}

static bool knows(void *self, struct mz_key key, const void *bytes, size_t size)
{
	const struct mz_states_user *user = self;
	uint32_t nstates = __atomic_load_n(&user->states->extent.states, __ATOMIC_ACQUIRE);
	return is_pending(user, key, bytes, size) ||
	       mz_states_find(user->states, nstates, key, bytes, size) != MZ_NO_STATE;
}

static bool add(void *self, struct mz_key key, const void *bytes, size_t size, const struct mz_origin *origin,
                uint32_t ticket)
{
	struct mz_states_user *user = self;
	bool is_first = !is_pending(user, key, bytes, size);
	if (!user->states->exact) size = 0;
	if (!mz_array_reserve(&user->additions, &user->additions_capacity, user->nadditions + 1) ||
	    !mz_array_reserve(&user->bytes, &user->bytes_capacity, user->nbytes + size + 1))
		return false;
	if (size) memcpy(user->bytes + user->nbytes, bytes, size);
	user->additions[user->nadditions++] = (struct mz_states_addition){
	    .key = key, .origin = *origin, .bytes = user->nbytes, .size = size, .ticket = ticket};
	user->nbytes += size;
	return !is_first || mz_table_add(&user->pending, key.low, user->nadditions);
}

static bool done(void *self, uint32_t state, struct mz_prospect prospect)
{
	struct mz_states_user *user = self;
	if (!mz_array_reserve(&user->finished, &user->finished_capacity, user->nfinished + 1)) return false;
	user->finished[user->nfinished++] =
	    (struct mz_states_finished){.state = state, .prospect = prospect, .end = user->nadditions};
	if (user->count) user->finished[user->nfinished - 1].counts = user->count(user->counter);
	return true;
}

/* ---- settling ---- */

static uint32_t depth_from(struct mz_states *s, const struct mz_origin *origin)
{
	uint32_t before = origin->parent == MZ_NO_STATE ? 0 : mz_states_record(s, origin->parent)->depth;
	return before > UINT32_MAX - origin->steps ? UINT32_MAX : before + origin->steps;
}

/* Puts an addition behind an extent, or a link to the state if that is known. Returns false if there is no room. */
static bool place(struct mz_states_user *user, struct mz_states_extent *extent, struct mz_states_addition *a)
{
	struct mz_states *s = user->states;
	const uint8_t *bytes = user->bytes + a->bytes;
	a->state = mz_states_find(s, extent->states, a->key, bytes, a->size);
	a->is_new = a->state == MZ_NO_STATE;
	user->is_foreign = a->is_new && a->origin.parent == MZ_NO_STATE && extent->states > 0;
	if (user->is_foreign) return false;
	bool links = !a->is_new && a->origin.parent != MZ_NO_STATE && a->origin.parent != a->state;
	if ((a->is_new || links) && !mz_states_has_room(s, extent, links, a->size)) return false;
	if (links) mz_states_append_link(s, extent, (struct mz_state_link){a->origin.parent, a->state});
	if (!a->is_new) return true;
	const struct mz_state_record record = {.key = a->key,
	                                       .origin = a->origin,
	                                       .depth = depth_from(s, &a->origin),
	                                       .seat = user->seat,
	                                       .status = MZ_STATE_OPEN};
	a->state = mz_states_append(s, extent, &record, bytes, a->size);
	return true;
}

/* Writes down that a state is done, and what it leads to. Returns false if there is no room for all of it. */
static bool write_down(struct mz_states_user *user, struct mz_states_extent *extent, size_t n)
{
	const struct mz_states_finished *finished = &user->finished[n];
	struct mz_states_extent next = *extent;
	for (size_t i = n ? finished[-1].end : 0; i < finished->end; i++)
		if (!place(user, &next, &user->additions[i])) return false;
	*extent = next;
	if (finished->state == MZ_NO_STATE) return true;
	struct mz_state_record *record = mz_states_edit(user->states, finished->state);
	record->looks = finished->prospect.looks;
	record->ends = finished->prospect.ends;
	record->is_open = finished->prospect.is_open;
	record->status = MZ_STATE_SETTLING;
	return true;
}

/* Makes what was written down for the first `n` finished states count, in one store. */
static void commit(struct mz_states_user *user, const struct mz_states_extent *extent, size_t n)
{
	struct mz_states *s = user->states;
	struct mz_states_change *change = &s->change;
	uint32_t before = s->extent.states;
	change->seat = user->seat;
	change->extent = *extent;
	change->counts = user->finished[n - 1].counts;
	atomic_signal_fence(memory_order_seq_cst);
	change->complete = 1;
	atomic_signal_fence(memory_order_seq_cst);
	mz_states_make_change(s);
	for (size_t i = 0; i < n; i++) {
		if (user->finished[i].state == MZ_NO_STATE) continue;
		mz_states_edit(s, user->finished[i].state)->status = MZ_STATE_DONE;
		s->nactive--;
	}
	for (uint32_t state = before; state < extent->states; state++) mz_states_enqueue(s, user->worker, state);
	s->nopen += extent->states - before;
	mz_states_index(s)->states = extent->states;
	mz_states_index(s)->blocks = extent->blocks;
	atomic_signal_fence(memory_order_seq_cst);
	change->complete = 0;
}

/* Settles all that is done, or as much of it as there is room for. Returns how many states that is. */
static size_t settle(struct mz_states_user *user)
{
	struct mz_states_extent extent = user->states->extent;
	size_t n = 0;
	while (n < user->nfinished && write_down(user, &extent, n)) n++;
	if (n) commit(user, &extent, n);
	return n;
}

/* Tells the search what became of what it has added for the first `n` finished states, and forgets all of it. */
static void tell(struct mz_states_user *user, size_t n)
{
	size_t settled = n ? user->finished[n - 1].end : 0;
	for (size_t i = 0; i < user->nadditions && user->client.told; i++) {
		const struct mz_states_addition *a = &user->additions[i];
		bool is_new = i < settled && a->is_new;
		user->client.told(user->client.self, a->ticket, i < settled ? a->state : MZ_NO_STATE, is_new);
	}
	user->nadditions = user->nfinished = user->nbytes = 0;
	mz_table_clear(&user->pending);
}

/* ---- taking ---- */

static uint32_t longest(struct mz_states *s)
{
	const struct mz_states_queue *queues = mz_states_index(s)->queues;
	uint32_t best = 0;
	for (uint32_t i = 1; i < MZ_STATES_WORKERS; i++)
		if (queues[i].length > queues[best].length) best = i;
	return best;
}

static bool is_anybody_hungry(struct mz_states *s)
{
	struct mz_states_index *index = mz_states_index(s);
	uint32_t hungry = 0;
	for (uint32_t i = 0; i < MZ_STATES_WORKERS; i++)
		hungry |= atomic_load_explicit(&index->hungry[i], memory_order_relaxed);
	return hungry;
}

static void set_hungry(struct mz_states_user *user, bool hungry)
{
	struct mz_session *session = user->session;
	atomic_store_explicit(&mz_states_index(user->states)->hungry[user->worker], hungry, memory_order_relaxed);
	if (!session) return;
	session->pulse++;
	atomic_store_explicit(&session->thinking, hungry ? MZ_SESSION_THINKING : 0, memory_order_relaxed);
}

/* Gives the second half of the states that are not looked at yet back, for others. */
static void give_back(struct mz_states_user *user)
{
	struct mz_states *s = user->states;
	for (size_t n = (user->ntaken - user->next) / 2; n > 0; n--) {
		uint32_t state = user->taken[--user->ntaken];
		mz_states_edit(s, state)->status = MZ_STATE_OPEN;
		mz_states_enqueue(s, user->worker, state);
		s->nactive--;
		s->nopen++;
	}
}

/* Returns the number of a state that nobody has looked at: the first of the worker's own queue, or else of the longest. Returns
 * MZ_NO_STATE if there is none. */
static uint32_t next_open(struct mz_states_user *user)
{
	struct mz_states *s = user->states;
	const struct mz_states_queue *queues = mz_states_index(s)->queues;
	uint32_t state = mz_states_dequeue(s, user->worker), queue;
	while (state == MZ_NO_STATE && queues[queue = longest(s)].length) state = mz_states_dequeue(s, queue);
	return state;
}

/* Takes states that nobody has looked at, half of them at most. */
static void take_some(struct mz_states_user *user)
{
	struct mz_states *s = user->states;
	uint32_t half = (s->nopen + 1) / 2, most = half < user->pace ? half : user->pace;
	bool filled = false;
	user->next = user->ntaken = 0;
	while (user->ntaken < most) {
		uint32_t state = next_open(user);
		if (state == MZ_NO_STATE) {
			if (filled) return;
			mz_states_fill_queues(s); /* the others were opened on another machine */
			filled = true;
			continue;
		}
		struct mz_state_record *record = mz_states_edit(s, state);
		record->seat = user->seat; /* first: if this process is killed, it is known whose the state was */
		__atomic_store_n(&record->status, MZ_STATE_TAKEN, __ATOMIC_RELEASE);
		s->nopen--;
		s->nactive++;
		user->taken[user->ntaken++] = state;
	}
}

static void set_pace(struct mz_states_user *user)
{
	uint64_t now = mz_now(), took = now - user->exchanged;
	uint64_t pace = user->exchanged && took ? user->nfinished * INTERVAL_NANOSECONDS / took : TAKEN_FIRST;
	if (pace > 2 * (uint64_t)user->pace + TAKEN_FIRST) pace = 2 * (uint64_t)user->pace + TAKEN_FIRST;
	user->pace = pace < 1 ? 1 : pace > TAKEN_MOST ? TAKEN_MOST : (uint32_t)pace;
	user->exchanged = now;
}

/* Settles what is done, and takes states if there are none left. Returns false if there is no room for what was added, or
 * what was done is of no use; sets `*over` if no state is left anywhere. */
static bool exchange(struct mz_states_user *user, bool takes, bool *over)
{
	struct mz_states *s = user->states;
	size_t settled = 0, finished = user->nfinished;
	mz_states_lock(s);
	user->outdated = s->generation != user->generation;
	bool useful = !user->outdated && !mz_states_link(s)->severed;
	if (useful) {
		settled = settle(user);
		if (is_anybody_hungry(s)) give_back(user);
		set_pace(user);
		if (takes && user->next == user->ntaken && settled == finished) take_some(user);
	}
	*over = !s->nopen && !s->nactive;
	mz_states_unlock(s);
	tell(user, settled);
	return useful && settled == finished;
}

static bool is_told_to_stop(const struct mz_states_user *user)
{
	return user->stop && atomic_load_explicit(user->stop, memory_order_relaxed);
}

/* Returns whether it is time to settle, with states left to be looked at. */
static bool is_due(const struct mz_states_user *user)
{
	if (!user->nfinished) return false;
	return user->nbytes > BYTES_MOST || is_anybody_hungry(user->states) ||
	       mz_now() - user->exchanged > INTERVAL_NANOSECONDS;
}

/* Returns whether it is worth while to look for something to take, as far as can be told without the lock: there is something,
 * or nothing will be, or something was lost. */
static bool is_worth_while(const struct mz_states_user *user)
{
	const struct mz_states *s = user->states;
	struct mz_trunk_link *link = mz_states_link(user->states);
	return s->nopen || !s->nactive || link->losses || link->severed;
}

/* Waits until there may be something to take. Not for long: if another machine has died, only who asks is told. */
static void nap(struct mz_states_user *user)
{
	bool linked = mz_states_link(user->states)->linked;
	struct timespec time = {0, linked ? LINKED_NAP_NANOSECONDS : NAP_NANOSECONDS};
	int before = errno; /* a part of the program's state */
	set_hungry(user, true);
	uint64_t until = mz_now() + WAIT_NANOSECONDS;
	do {
		nanosleep(&time, NULL);
		if (user->session) user->session->pulse++;
	} while (!is_told_to_stop(user) && !is_worth_while(user) && mz_now() < until);
	set_hungry(user, false);
	errno = before;
}

static enum mz_taken take(void *self, uint32_t *state)
{
	struct mz_states_user *user = self;
	struct mz_states_index *index = mz_states_index(user->states);
	bool over = false;
	index->current[user->worker] = 0;
	if (!mz_array_reserve(&user->taken, &user->taken_capacity, TAKEN_MOST)) return MZ_TAKEN_NO_MEMORY;
	while (user->next == user->ntaken || is_due(user)) {
		if (is_told_to_stop(user)) return MZ_TAKEN_NONE;
		if (!exchange(user, true, &over)) {
			bool useless = user->outdated || user->is_foreign || mz_states_link(user->states)->severed;
			return useless ? MZ_TAKEN_NONE : MZ_TAKEN_FULL;
		}
		if (user->next < user->ntaken) break;
		if (over) return MZ_TAKEN_NONE;
		nap(user);
	}
	*state = user->taken[user->next++];
	index->current[user->worker] = *state + 1;
	return MZ_TAKEN;
}

static void leave(void *self)
{
	struct mz_states_user *user = self;
	bool over;
	if (user->nfinished)
		exchange(user, false, &over);
	else
		tell(user, 0);
}

/* ---- the graph ---- */

/* Takes no lock, nor does depth_of(): origins and depths never change once a state is known. */
static struct mz_origin origin_of(void *self, uint32_t state)
{
	const struct mz_states_user *user = self;
	return mz_states_record(user->states, state)->origin;
}

static uint32_t depth_of(void *self, uint32_t state)
{
	const struct mz_states_user *user = self;
	return mz_states_record(user->states, state)->depth;
}

/* Makes the worker the one that judges the graph of all states, unless another one does. */
static bool is_judge(struct mz_states_user *user)
{
	uint32_t judge = 0;
	_Atomic uint32_t *place = &mz_states_index(user->states)->judge;
	return atomic_compare_exchange_strong(place, &judge, user->worker + 1) || judge == user->worker + 1;
}

static bool whole(void *self)
{
	struct mz_states_user *user = self;
	return !user->outdated && !user->is_foreign && mz_states_counts(user->states).left == 0 && is_judge(user);
}

static uint32_t count_states(void *self)
{
	const struct mz_states_user *user = self;
	return user->states->extent.states;
}

static struct mz_prospect prospect_of(void *self, uint32_t state)
{
	const struct mz_states_user *user = self;
	const struct mz_state_record *record = mz_states_record(user->states, state);
	if (record->status != MZ_STATE_DONE) return (struct mz_prospect){.is_open = true};
	return (struct mz_prospect){record->ends, record->is_open, record->looks};
}

static bool link_of(void *self, size_t n, struct mz_state_link *link)
{
	const struct mz_states_user *user = self;
	if (n >= user->states->extent.links) return false;
	*link = *(const struct mz_state_link *)mz_states_element(user->states, MZ_STATES_LINKS, n);
	return true;
}

struct mz_frontier mz_states_frontier(struct mz_states_user *user)
{
	return (struct mz_frontier){.self = user,
	                            .exact = user->states->exact,
	                            .open = open_frontier,
	                            .knows = knows,
	                            .add = add,
	                            .take = take,
	                            .done = done,
	                            .leave = leave,
	                            .origin = origin_of,
	                            .depth = depth_of,
	                            .whole = whole,
	                            .count = count_states,
	                            .prospect = prospect_of,
	                            .link = link_of};
}

void mz_states_user_release(struct mz_states_user *user)
{
	mz_free(user->additions);
	mz_free(user->bytes);
	mz_free(user->finished);
	mz_free(user->taken);
	mz_table_release(&user->pending);
}

/* ---- threads ---- */

static uint32_t find_thread(const struct mz_states *s, struct mz_session_thread who, uint32_t known)
{
	uint32_t t = 1;
	while (t < known && (s->threads[t].parent != who.parent || s->threads[t].nth != who.nth)) t++;
	return t;
}

uint32_t mz_states_number(struct mz_states *s, struct mz_session_thread who)
{
	uint32_t known = __atomic_load_n(&s->nthreads, __ATOMIC_ACQUIRE), number = find_thread(s, who, known);
	if (number < known) return number;
	mz_states_lock(s);
	number = find_thread(s, who, s->nthreads);
	if (number == MZ_SESSION_THREADS) {
		number = MZ_NO_THREAD;
	} else if (number == s->nthreads) {
		s->threads[number] = who;
		__atomic_store_n(&s->nthreads, number + 1, __ATOMIC_RELEASE);
	}
	mz_states_unlock(s);
	return number;
}

struct mz_session_thread mz_states_thread(struct mz_states *s, uint32_t number)
{
	return s->threads[number]; /* no lock: it never changes */
}
