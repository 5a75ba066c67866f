/* SPDX-License-Identifier: MIT
 *
 * Clocks and races of a new event j of thread q. Its rivals are the conflicting events that q does not know of yet.
 * Visit them from the latest to the first, starting from what q knew: one that is not covered by what was met so far
 * is a race, and its clock is joined. One that is covered lies before a later rival, or before something q knew.
 */
#include "engine/execution/execution.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "engine/execution/conflict.h"
#include "engine/execution/waiting.h"
#include <string.h>

void mz_execution_init(struct mz_execution *x, bool ordered)
{
	*x = (struct mz_execution){.ordered = ordered, .waker = MZ_NONE};
	mz_objects_init(&x->objects);
}

void mz_execution_release(struct mz_execution *x)
{
	mz_objects_release(&x->objects);
	mz_free(x->records);
	mz_free(x->threads);
	mz_free(x->counts);
	mz_free(x->edges);
	mz_free(x->races);
	mz_free(x->rivals.at);
	mz_free(x->writes.at);
	mz_free(x->dropped.at);
	*x = (struct mz_execution){0};
}

/* Makes room for `need` items in one of the stacks. Returns false, and sets `failed`, when there is no memory. */
static bool reserve_items(struct mz_execution *x, void *stack, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity) return true;
	if (need < MZ_NONE && mz_array_grow(stack, capacity, need, size)) return true;
	x->failed = true;
	return false;
}

#define reserve(x, stack, capacity, need) reserve_items(x, stack, capacity, need, sizeof **(stack))

/* Adds threads up to the number `thread`. Not inlined, because reserve_thread() is called with every event, and this
 * only once for each thread. */
static __attribute__((noinline)) bool add_threads(struct mz_execution *x, uint32_t thread)
{
	if (!reserve(x, &x->threads, &x->threads_capacity, (size_t)thread + 1)) return false;
	while (x->nthreads <= thread) x->threads[x->nthreads++] = (struct mz_thread_state){.last = MZ_NONE};
	return true;
}

static inline bool reserve_thread(struct mz_execution *x, uint32_t thread)
{
	return thread < x->nthreads || add_threads(x, thread);
}

/* Makes a new vector on top of the stack, with an entry for every thread, as a copy of `from`. The caller may raise its
 * entries until the next vector is made. Returns false when there is no memory. */
static bool clock_copy(struct mz_execution *x, struct mz_event_clock from, struct mz_event_clock *copy)
{
	size_t length = x->nthreads;
	if (!reserve(x, &x->counts, &x->counts_capacity, x->ncounts + length)) return false;
	uint32_t *to = x->counts + x->ncounts;
	for (size_t t = 0; t < from.length; t++) to[t] = x->counts[from.offset + t];
	for (size_t t = from.length; t < length; t++) to[t] = 0;
	*copy = (struct mz_event_clock){(uint32_t)x->ncounts, (uint32_t)length};
	x->ncounts += length;
	return true;
}

static void raise(uint32_t *count, uint32_t least)
{
	if (*count < least) *count = least;
}

static void clock_join(struct mz_execution *x, struct mz_event_clock into, struct mz_event_clock from)
{
	uint32_t *to = x->counts + into.offset;
	const uint32_t *with = x->counts + from.offset;
	for (uint32_t t = 0; t < from.length; t++) raise(&to[t], with[t]);
}

/* Leaves in x->rivals, latest first, the events that conflict with the accesses and are unknown to the thread. */
static bool collect_rivals(struct mz_execution *x, uint32_t thread, struct mz_event_clock known,
                           const struct mz_access *accesses, size_t naccesses)
{
	unsigned lanes = 0;
	x->rivals.count = 0;
	for (size_t a = 0; a < naccesses; a++) {
		if (!mz_objects_rivals(&x->objects, &accesses[a], &x->rivals, &lanes)) {
			x->failed = true;
			return false;
		}
	}
	size_t kept = 0;
	for (size_t n = 0; n < x->rivals.count; n++) {
		const struct mz_event_record *rival = &x->records[x->rivals.at[n]];
		if (rival->event.thread == thread || mz_event_clock_knows(x, known, rival)) continue;
		x->rivals.at[kept++] = x->rivals.at[n];
	}
	x->rivals.count = kept;
	if (lanes > 1) mz_events_latest_first(x->rivals.at, kept);
	return true;
}

/* Joins the rivals into `clock` and keeps in x->rivals those that were not covered: the races. */
static void join_rivals(struct mz_execution *x, struct mz_event_clock clock)
{
	size_t races = 0;
	for (size_t n = 0; n < x->rivals.count; n++) {
		uint32_t i = x->rivals.at[n];
		const struct mz_event_record *rival = &x->records[i];
		if (mz_event_clock_knows(x, clock, rival)) continue;
		x->rivals.at[races++] = i;
		clock_join(x, clock, rival->clock);
		raise(&x->counts[clock.offset + rival->event.thread], rival->position);
	}
	x->rivals.count = races;
}

/* Replaces x->rivals by the races of an operation that waits for its object. */
static bool waiting_races(struct mz_execution *x, const struct mz_waiting *waiting, const struct mz_access *accesses,
                          unsigned naccesses)
{
	struct mz_event_clock scratch;
	size_t top = x->ncounts;
	if (!mz_waiting_races(x, waiting, accesses, naccesses)) return false;
	if (x->rivals.count < 2) return true;
	if (!clock_copy(x, waiting->known, &scratch)) return false;
	join_rivals(x, scratch);
	x->ncounts = top;
	return true;
}

bool mz_events_woke(const struct mz_event *event, const struct mz_access *leaves)
{
	if (mz_op_class((enum mz_op)event->op) != MZ_CLASS_WAKE || !leaves->expected) return false;
	return event->accesses[0].object == leaves->object && event->accesses[0].expected == leaves->expected;
}

/* Removes all events from the n-th on, except for the one that woke the thread which leaves. */
static void keep_waker(const struct mz_execution *x, struct mz_events *events, size_t n, const struct mz_access *leaves)
{
	size_t kept = n;
	for (; n < events->count; n++) {
		if (mz_events_woke(&x->records[events->at[n]].event, leaves)) events->at[kept++] = events->at[n];
	}
	events->count = kept;
}

bool mz_execution_wakers(struct mz_execution *x, uint16_t op, const struct mz_access *access, uint32_t read,
                         struct mz_events *writes)
{
	size_t before = writes->count;
	uint32_t from = access->age == MZ_AGE_EVER ? 0 : read + 1;
	if (!mz_objects_writes(&x->objects, access, from, writes)) {
		x->failed = true;
		return false;
	}
	bool leaves = mz_op_class((enum mz_op)op) == MZ_CLASS_LEAVE && !access->only_waited;
	if (leaves) keep_waker(x, writes, before, access);
	return true;
}

/* Leaves in x->writes the events that enable an operation of a thread that awaits, whose latest event is `last`. */
static bool collect_wakers(struct mz_execution *x, uint32_t last, uint16_t op, const struct mz_access *accesses,
                           unsigned count)
{
	x->writes.count = 0;
	for (unsigned n = 0; n < count; n++) {
		uint32_t read = last;
		if (!accesses[n].age) continue;
		for (unsigned age = accesses[n].age; age > 1 && age != MZ_AGE_EVER; age--)
			read = x->records[read].previous;
		if (!mz_execution_wakers(x, op, &accesses[n], read, &x->writes)) return false;
	}
	return true;
}

/* Returns whether one of x->writes is left without event i and what happens after it. */
static bool wakes_without(const struct mz_execution *x, uint32_t i)
{
	for (size_t n = 0; n < x->writes.count; n++) {
		if (!mz_execution_before(x, i, x->writes.at[n])) return true;
	}
	return false;
}

/* Removes from x->rivals, the races of an operation that awaits, each event without which the operation would not be
 * enabled. Returns false when there is no memory. */
static bool drop_wakers(struct mz_execution *x, uint32_t thread, uint16_t op, const struct mz_access *accesses,
                        unsigned count)
{
	if (!collect_wakers(x, x->threads[thread].last, op, accesses, count)) return false;
	size_t kept = 0;
	for (size_t n = 0; n < x->rivals.count; n++) {
		if (wakes_without(x, x->rivals.at[n])) x->rivals.at[kept++] = x->rivals.at[n];
	}
	x->rivals.count = kept;
	return true;
}

/* Returns whether an event after i that does not happen after it conflicts with `event`. */
static bool others_conflict(const struct mz_execution *x, uint32_t i, const struct mz_event *event)
{
	for (uint32_t k = i + 1; k < x->depth; k++) {
		if (!mz_execution_before(x, i, k) && mz_events_conflict(mz_execution_event(x, k), event)) return true;
	}
	return false;
}

/* Removes from x->rivals the event that woke the thread of a new event, if nothing else can have woken it. */
static void drop_waker(struct mz_execution *x, const struct mz_event *event)
{
	size_t kept = 0;
	if (others_conflict(x, x->waker, event)) return;
	for (size_t n = 0; n < x->rivals.count; n++) {
		if (x->rivals.at[n] != x->waker) x->rivals.at[kept++] = x->rivals.at[n];
	}
	x->rivals.count = kept;
}

/* Returns whether event i happens before whatever a thread does next. */
static bool is_known_to(const struct mz_execution *x, uint32_t thread, uint32_t i)
{
	const struct mz_event_record *r = &x->records[i];
	return r->event.thread == thread || mz_event_clock_knows(x, x->threads[thread].clock, r);
}

/* Appends to x->rivals the events without which a thread might not have had to wait; it began to wait when there were
 * `since` events. If the step of another thread made it wait, that is the one event. If it had to wait when it came
 * there, these are all events that it did not know of. If `event` is not NULL, only those that conflict with it count.
 * Returns false when there is no memory. */
static bool add_untold(struct mz_execution *x, uint32_t thread, uint32_t since, const struct mz_event *event)
{
	if (!since || !reserve_thread(x, thread)) return !x->failed;
	bool own = is_known_to(x, thread, since - 1); /* it had to wait from its own last step on, or from its birth */
	for (uint32_t i = own ? 0 : since - 1; i < since && !x->failed; i++) {
		if (is_known_to(x, thread, i)) continue;
		if (event && !mz_events_conflict(mz_execution_event(x, i), event)) continue;
		if (!mz_events_add(&x->rivals, i)) x->failed = true;
	}
	return !x->failed;
}

/* Corrects x->rivals to the races of a new event whose thread waited for something that the host did not tell: it
 * cannot come before the event that let it go on, but before one that made it wait. */
static bool untold_races(struct mz_execution *x, const struct mz_event *event)
{
	size_t kept = 0;
	drop_waker(x, event);
	if (!add_untold(x, event->thread, x->since, event)) return false;
	mz_events_latest_first(x->rivals.at, x->rivals.count);
	for (size_t n = 0; n < x->rivals.count; n++) {
		if (n == 0 || x->rivals.at[n] != x->rivals.at[n - 1]) x->rivals.at[kept++] = x->rivals.at[n];
	}
	x->rivals.count = kept;
	return true;
}

static bool keep_races(struct mz_execution *x)
{
	size_t count = x->rivals.count;
	if (!reserve(x, &x->races, &x->races_capacity, x->nraces + count)) return false;
	if (count == 0) return true;
	memcpy(x->races + x->nraces, x->rivals.at, count * sizeof *x->races);
	x->nraces += count;
	return true;
}

static bool order_event(struct mz_execution *x, struct mz_event_record *r, const struct mz_event *event)
{
	if (!collect_rivals(x, event->thread, r->known, event->accesses, event->naccesses)) return false;
	if (x->rivals.count == 0) return true;
	r->rival = x->rivals.at[0] + 1; /* the rivals come latest first */
	raise(&r->after, r->rival);
	if (!clock_copy(x, r->known, &r->clock)) return false;
	join_rivals(x, r->clock);
	if (mz_class_waits(mz_op_class((enum mz_op)event->op))) {
		struct mz_waiting waiting = mz_waiting_new(x, event);
		if (!waiting_races(x, &waiting, event->accesses, event->naccesses)) return false;
	}
	if (mz_accesses_await(event->accesses, event->naccesses) &&
	    !drop_wakers(x, event->thread, event->op, event->accesses, event->naccesses))
		return false;
	if (x->waker != MZ_NONE && !untold_races(x, event)) return false;
	return keep_races(x);
}

/* Updates the events' pointers to their accesses, which have moved. */
static void rebase(struct mz_execution *x)
{
	for (uint32_t d = 0; d < x->depth; d++) {
		x->records[d].event.accesses = x->objects.accesses + x->records[d].first_access;
	}
}

static bool push_accesses(struct mz_execution *x, struct mz_event_record *r, const struct mz_event *event)
{
	const struct mz_access *base = x->objects.accesses;
	for (unsigned a = 0; a < event->naccesses; a++) {
		if (!mz_objects_push(&x->objects, x->depth, &event->accesses[a])) {
			x->failed = true;
			return false;
		}
	}
	if (x->objects.accesses != base) rebase(x);
	if (event->naccesses) r->event.accesses = x->objects.accesses + r->first_access;
	return true;
}

static void observe_ordered(struct mz_execution *x, const struct mz_event *event)
{
	if (!reserve_thread(x, event->thread)) return;
	struct mz_thread_state *thread = &x->threads[event->thread];
	struct mz_event_record *r = &x->records[x->depth];
	*r = (struct mz_event_record){.event = *event,
	                              .first_access = (uint32_t)x->objects.naccesses,
	                              .position = thread->position + 1,
	                              .previous = thread->last,
	                              .known = thread->clock,
	                              .clock = thread->clock,
	                              .after = thread->after,
	                              .after_before = thread->after,
	                              .counts_before = (uint32_t)x->ncounts,
	                              .races_before = (uint32_t)x->nraces};
	if (event->naccesses && !order_event(x, r, event)) return;
	if (!push_accesses(x, r, event)) return;
	mz_event_summarize(&r->event);
	thread->last = x->depth++;
	thread->after = x->depth;
	thread->position = r->position;
	thread->clock = r->clock;
	x->waker = MZ_NONE;
}

void mz_execution_observe(struct mz_execution *x, const struct mz_event *event)
{
	if (x->failed) return;
	if (!reserve(x, &x->records, &x->records_capacity, (size_t)x->depth + 1)) return;
	if (x->ordered)
		observe_ordered(x, event);
	else
		x->records[x->depth++].event = *event;
}

/* What a thread knew at some point, and how many events it had. */
struct knowledge {
	uint32_t thread;
	uint32_t position;
	uint32_t after; /* the latest event that it knew of, plus one */
	struct mz_event_clock clock;
};

/* Returns whether a clock has all of that knowledge already. */
static inline bool edge_is_known(const struct mz_execution *x, const struct knowledge *from,
                                 struct mz_event_clock after)
{
	if (mz_event_clock_at(x, after, from->thread) < from->position) return false;
	for (uint32_t t = 0; t < from->clock.length; t++) {
		if (mz_event_clock_at(x, after, t) < x->counts[from->clock.offset + t]) return false;
	}
	return true;
}

/* Makes a copy of `clock` that is just long enough for all of `from`. With more than FEW_THREADS threads that is
 * shorter than a vector for all of them. */
#define FEW_THREADS 64
static bool clock_extend(struct mz_execution *x, const struct knowledge *from, struct mz_event_clock clock,
                         struct mz_event_clock *copy)
{
	uint32_t length = clock.length;
	raise(&length, from->clock.length);
	raise(&length, from->thread + 1);
	if (!reserve(x, &x->counts, &x->counts_capacity, x->ncounts + length)) return false;
	uint32_t *to = x->counts + x->ncounts;
	for (uint32_t t = 0; t < clock.length; t++) to[t] = x->counts[clock.offset + t];
	for (uint32_t t = clock.length; t < length; t++) to[t] = 0;
	*copy = (struct mz_event_clock){(uint32_t)x->ncounts, length};
	x->ncounts += length;
	return true;
}

/* Adds what a thread knew to what another one knows. Inlined into mz_execution_order(), which is called for every
 * creation and join. */
static inline __attribute__((always_inline)) void tell(struct mz_execution *x, const struct knowledge *from,
                                                       uint32_t after)
{
	struct mz_thread_state *to = &x->threads[after];
	if (edge_is_known(x, from, to->clock)) return;
	if (!reserve(x, &x->edges, &x->edges_capacity, x->nedges + 1)) return;
	struct mz_order_edge edge = {x->depth, after, to->clock, to->after, (uint32_t)x->ncounts};
	bool copied = x->nthreads > FEW_THREADS ? clock_extend(x, from, to->clock, &to->clock)
	                                        : clock_copy(x, to->clock, &to->clock);
	if (!copied) return;
	clock_join(x, to->clock, from->clock);
	raise(&x->counts[to->clock.offset + from->thread], from->position);
	raise(&to->after, from->after);
	x->edges[x->nedges++] = edge;
}

void mz_execution_order(struct mz_execution *x, uint32_t before, uint32_t after)
{
	if (x->failed || !x->ordered || before == after) return;
	if (!reserve_thread(x, before) || !reserve_thread(x, after)) return;
	const struct mz_thread_state *from = &x->threads[before];
	tell(x, &(struct knowledge){before, from->position, from->after, from->clock}, after);
}

void mz_execution_note_waker(struct mz_execution *x, uint32_t event, uint32_t since, const struct mz_event *second)
{
	if (x->failed || !x->ordered || event >= x->depth || !reserve_thread(x, second->thread)) return;
	const struct mz_event_record *r = &x->records[event];
	if (r->event.thread == second->thread) return;
	x->waker = event;
	x->since = since;
	if (mz_events_conflict(&r->event, second)) return;
	tell(x, &(struct knowledge){r->event.thread, r->position, event + 1, r->clock}, second->thread);
}

static void pop_edges(struct mz_execution *x)
{
	while (x->nedges && x->edges[x->nedges - 1].depth == x->depth) {
		const struct mz_order_edge *edge = &x->edges[--x->nedges];
		x->threads[edge->thread].clock = edge->clock;
		x->threads[edge->thread].after = edge->after;
		x->ncounts = edge->counts_before;
	}
}

static void pop_event(struct mz_execution *x)
{
	const struct mz_event_record *r = &x->records[--x->depth];
	struct mz_thread_state *thread = &x->threads[r->event.thread];
	thread->last = r->previous;
	thread->position = r->position - 1;
	thread->clock = r->known;
	thread->after = r->after_before;
	x->ncounts = r->counts_before;
	x->nraces = r->races_before;
	mz_objects_truncate(&x->objects, r->first_access);
}

void mz_execution_rewind(struct mz_execution *x, uint32_t depth)
{
	if (x->failed) return;
	if (!x->ordered) x->depth = depth;
	while (x->depth > depth) {
		pop_edges(x);
		pop_event(x);
	}
}

const uint32_t *mz_execution_pending_races(struct mz_execution *x, uint32_t thread, const struct mz_pending *pending,
                                           size_t *count)
{
	*count = 0;
	if (x->failed || !reserve_thread(x, thread)) return NULL;
	struct mz_event_clock known = x->threads[thread].clock, scratch;
	if (!collect_rivals(x, thread, known, pending->accesses, pending->naccesses)) return NULL;
	if (x->rivals.count == 0) return NULL;
	if (mz_class_waits(mz_op_class((enum mz_op)pending->op))) {
		struct mz_waiting waiting = mz_waiting_pending(x, thread, pending);
		if (!waiting_races(x, &waiting, pending->accesses, pending->naccesses)) return NULL;
	} else {
		size_t top = x->ncounts;
		if (!clock_copy(x, known, &scratch)) return NULL;
		join_rivals(x, scratch);
		x->ncounts = top;
	}
	if (mz_accesses_await(pending->accesses, pending->naccesses) &&
	    !drop_wakers(x, thread, pending->op, pending->accesses, pending->naccesses))
		return NULL;
	*count = x->rivals.count;
	return x->rivals.at;
}

const uint32_t *mz_execution_possible_blockers(struct mz_execution *x, uint32_t thread,
                                               const struct mz_pending *pending, size_t *count, uint32_t *end)
{
	x->rivals.count = 0;
	*end = pending->since;
	*count = add_untold(x, thread, pending->since, NULL) ? x->rivals.count : 0;
	return x->rivals.at;
}
