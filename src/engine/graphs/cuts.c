/* SPDX-License-Identifier: MIT */
#include "engine/graphs/cuts.h"
#include "base/alloc.h"
#include "base/array.h"
#include "engine/graphs/prefixes.h"
#include <string.h>

void mz_cuts_init(struct mz_cuts *cuts, struct mz_execution *x)
{
	*cuts = (struct mz_cuts){.x = x};
}

void mz_cuts_release(struct mz_cuts *cuts)
{
	for (size_t t = 0; t < cuts->nthreads; t++) mz_free(cuts->threads[t].at);
	mz_free(cuts->threads);
	mz_free(cuts->clock);
	mz_free(cuts->accesses);
	mz_free(cuts->writes.at);
	mz_description_release(&cuts->description);
	mz_pasts_release(&cuts->pasts);
	*cuts = (struct mz_cuts){0};
}

/* ---- following the execution ---- */

static bool widen(struct mz_cuts *cuts, size_t width)
{
	if (width <= cuts->width) return true;
	if (!mz_array_reserve(&cuts->threads, &cuts->threads_capacity, width)) return false;
	while (cuts->nthreads < width) cuts->threads[cuts->nthreads++] = (struct mz_own_events){0};
	if (!mz_array_reserve(&cuts->clock, &cuts->clock_capacity, width)) return false;
	cuts->width = (uint32_t)width;
	return true;
}

static bool describe(struct mz_cuts *cuts, const struct mz_event *event, uint32_t previous)
{
	if (!mz_description_start(&cuts->description, event, previous)) return false;
	for (uint32_t t = 0; t < cuts->width; t++) {
		if (t == event->thread || !cuts->clock[t]) continue;
		uint32_t past = cuts->threads[t].at[cuts->clock[t] - 1].past;
		if (!mz_description_after(&cuts->description, past)) return false;
	}
	return true;
}

static void clock_set(struct mz_cuts *cuts, struct mz_event_clock clock)
{
	memset(cuts->clock, 0, cuts->width * sizeof *cuts->clock);
	if (clock.length) memcpy(cuts->clock, cuts->x->counts + clock.offset, clock.length * sizeof *cuts->clock);
}

static bool acquires(const struct mz_event *event)
{
	return mz_class_contends(mz_op_class((enum mz_op)event->op)) || event->op == MZ_OP_ANNOUNCE;
}

/* Returns whether a thread, whose latest event is `previous`, may have to wait before an operation: for its object, for
 * a write, or for an order edge (then it knows more than after that event). */
static bool may_wait(const struct mz_execution *x, uint32_t previous, struct mz_event_clock known, uint16_t op,
                     const struct mz_access *accesses, unsigned naccesses)
{
	if (mz_class_waits(mz_op_class((enum mz_op)op)) || mz_accesses_await(accesses, naccesses)) return true;
	struct mz_event_clock before = previous == MZ_NONE ? (struct mz_event_clock){0} : x->records[previous].clock;
	return known.offset != before.offset || known.length != before.length;
}

/* Returns whether an event of another thread happens between an event and the one before it in its thread. */
static bool is_split(const struct mz_cuts *cuts, const struct mz_event_record *r)
{
	const struct mz_execution *x = cuts->x;
	for (uint32_t t = 0; t < r->clock.length && r->position > 1; t++) {
		uint32_t position = x->counts[r->clock.offset + t];
		if (t == r->event.thread || !position) continue;
		const struct mz_event_record *last = &x->records[cuts->threads[t].at[position - 1].depth];
		if (mz_event_clock_at(x, last->clock, r->event.thread) >= r->position - 1) return true;
	}
	return false;
}

bool mz_cuts_observe(struct mz_cuts *cuts)
{
	const struct mz_execution *x = cuts->x;
	const struct mz_event_record *r = &x->records[x->depth - 1];
	if (!widen(cuts, x->nthreads)) return false;
	struct mz_own_events *own = &cuts->threads[r->event.thread];
	if (!mz_array_reserve(&own->at, &own->capacity, r->position)) return false;
	struct mz_own_event *new = &own->at[r->position - 1], first = {0};
	const struct mz_own_event *previous = r->position > 1 ? new - 1 : &first;
	clock_set(cuts, r->clock);
	if (!describe(cuts, &r->event, previous->past)) return false;
	new->depth = x->depth - 1;
	new->past = mz_pasts_add(&cuts->pasts, &cuts->description);
	new->acquisition = acquires(&r->event) ? r->position : previous->acquisition;
	bool waits =
	    cuts->waited || may_wait(x, r->previous, r->known, r->event.op, r->event.accesses, r->event.naccesses);
	new->wait = waits ? r->position : previous->wait;
	new->preemptions = previous->preemptions + (!waits && is_split(cuts, r));
	return new->past != MZ_NO_PAST;
}

/* Returns the past of a thread's latest event, or MZ_NO_PAST. */
static uint32_t latest_past(const struct mz_cuts *cuts, uint32_t thread)
{
	uint32_t position = thread < cuts->x->nthreads ? cuts->x->threads[thread].position : 0;
	return position ? cuts->threads[thread].at[position - 1].past : MZ_NO_PAST;
}

static bool mark_waiting(struct mz_cuts *cuts, uint32_t thread)
{
	cuts->waited = true;
	return mz_pasts_mark(&cuts->pasts, thread, latest_past(cuts, thread));
}

bool mz_cuts_unseen(const struct mz_cuts *cuts, uint32_t thread)
{
	const struct mz_pending *pending = &cuts->view->pending[thread];
	if (pending->status != MZ_THREAD_ENABLED || pending->naccesses || pending->op != MZ_OP_ACCESS) return false;
	return mz_pasts_following(&cuts->pasts, thread, latest_past(cuts, thread)) == MZ_NO_PAST;
}

bool mz_cuts_set_view(struct mz_cuts *cuts, const struct mz_view *view)
{
	cuts->view = view;
	size_t width = cuts->x->nthreads > view->nthreads ? cuts->x->nthreads : view->nthreads;
	if (!widen(cuts, width)) return false;
	for (uint32_t t = 0; t < view->nthreads; t++)
		if (view->pending[t].status == MZ_THREAD_WAITING && !mark_waiting(cuts, t)) return false;
	return true;
}

/* ---- cuts ---- */

void mz_cut_whole(const struct mz_cuts *cuts, struct mz_cut *cut)
{
	cut->hash = 0;
	for (uint32_t t = 0; t < cuts->width; t++) {
		cut->at[t] = t < cuts->x->nthreads ? cuts->x->threads[t].position : 0;
		cut->hash ^= mz_prefix_hash(mz_cut_last(cuts, cut, t));
	}
}

void mz_cut_remove_from(const struct mz_cuts *cuts, struct mz_cut *cut, uint32_t thread, uint32_t position)
{
	cut->hash ^= mz_prefix_hash(mz_cut_last(cuts, cut, thread));
	cut->at[thread] = position;
	cut->hash ^= mz_prefix_hash(mz_cut_last(cuts, cut, thread));
}

void mz_cut_row(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t *row)
{
	for (uint32_t t = 0; t < cuts->width; t++) row[t] = mz_cut_last(cuts, cut, t);
}

bool mz_cut_is_empty(const struct mz_cuts *cuts, const struct mz_cut *cut)
{
	for (uint32_t t = 0; t < cuts->width; t++) {
		if (cut->at[t]) return false;
	}
	return true;
}

static const struct mz_event_record *own_record(const struct mz_cuts *cuts, uint32_t thread, uint32_t position)
{
	return &cuts->x->records[cuts->threads[thread].at[position - 1].depth];
}

uint32_t mz_cut_floor(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread)
{
	uint32_t floor = 0;
	for (uint32_t t = 0; t < cuts->width; t++) {
		if (t == thread || !cut->at[t]) continue;
		uint32_t needed = mz_event_clock_at(cuts->x, own_record(cuts, t, cut->at[t])->clock, thread);
		if (needed > floor) floor = needed;
	}
	return floor;
}

/* ---- what a thread would do ---- */

/* What a thread would do in the state of a cut, as far as the execution shows it. */
struct operation {
	/* the record of the event that the operation became, or NULL if it is pending */
	const struct mz_event_record *record;
	struct mz_event_clock known; /* what the thread knows before the operation */
	uint32_t alternatives;
	bool blocked; /* the thread is blocked at the end of the execution */
	bool waiting; /* the thread waits there, and the host did not tell for what */
	bool partial; /* it may touch more than its accesses say */
	uint16_t op;
	uint16_t naccesses;
	const struct mz_access *accesses;
};

static bool is_within(const struct mz_cuts *cuts, const struct mz_cut *cut, struct mz_event_clock clock)
{
	const uint32_t *counts = cuts->x->counts + clock.offset;
	for (uint32_t t = 0; t < clock.length; t++) {
		if (counts[t] > cut->at[t]) return false;
	}
	return true;
}

static struct operation executed(const struct mz_event_record *r)
{
	return (struct operation){.record = r,
	                          .known = r->known,
	                          .alternatives = r->event.alternatives,
	                          .op = r->event.op,
	                          .naccesses = r->event.naccesses,
	                          .accesses = r->event.accesses};
}

/* Finds what a thread would do next in the state of a cut. Returns false if it would do nothing: it is not born, is
 * finished, or waits for an order edge that is not in the cut. */
static bool operation_of(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, struct operation *o)
{
	const struct mz_execution *x = cuts->x;
	bool appeared = thread < x->nthreads;
	if (appeared && cut->at[thread] < x->threads[thread].position) {
		*o = executed(own_record(cuts, thread, cut->at[thread] + 1));
	} else {
		const struct mz_pending *pending = &cuts->view->pending[thread];
		if (thread >= cuts->view->nthreads || pending->status == MZ_THREAD_ABSENT) return false;
		*o = (struct operation){.known = appeared ? x->threads[thread].clock : (struct mz_event_clock){0},
		                        .alternatives = pending->alternatives,
		                        .blocked = pending->status == MZ_THREAD_BLOCKED,
		                        .waiting = pending->status == MZ_THREAD_WAITING,
		                        .partial = pending->partial,
		                        .op = pending->op,
		                        .naccesses = pending->naccesses,
		                        .accesses = pending->accesses};
		if (o->waiting) o->naccesses = 0; /* its accesses are only guessed */
	}
	return is_within(cuts, cut, o->known);
}

/* Returns whether nothing is known of the operation: a host does not tell what it is before it is executed (see
 * engine/host/). */
static bool is_unknown(const struct operation *o)
{
	return !o->record && !o->naccesses && o->op == MZ_OP_ACCESS;
}

static bool is_in(const struct mz_cut *cut, const struct mz_event_record *r)
{
	return r->position <= cut->at[r->event.thread];
}

/* Finds the state of a synchronization object in a cut: its state at the end of the execution, without the effects of
 * events outside of the cut. Returns false if no such event uses the object. (Everything before a write in the cut is
 * in the cut too, so the loop may stop there.) */
static bool state_of(const struct mz_cuts *cuts, const struct mz_cut *cut, uint64_t object, uint64_t *state)
{
	struct mz_objects *objects = &cuts->x->objects;
	uint32_t lane = mz_objects_lane(objects, object);
	uint32_t head = lane != MZ_NONE ? objects->lanes[lane].head : MZ_NONE;
	bool found = false;
	if (head == MZ_NONE) return false;
	*state = objects->accesses[head].before + (uint64_t)(int64_t)objects->accesses[head].effect;
	for (uint32_t a = head; a != MZ_NONE; a = objects->links[a].previous) {
		const struct mz_access *access = &objects->accesses[a];
		if (!is_in(cut, &cuts->x->records[objects->links[a].event])) {
			*state -= (uint64_t)(int64_t)access->effect;
			found = true;
		} else if (access->kind == MZ_WRITE) {
			break;
		}
	}
	return found;
}

/* Returns whether a thread that has made steps could make its next one right after its last, whatever happened
 * before. */
static bool never_waits(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread)
{
	struct operation o;
	uint32_t position = cut->at[thread];
	const struct mz_own_event *own = cuts->threads[thread].at;
	if (position < cuts->x->threads[thread].position) return own[position].wait != position + 1;
	if (!operation_of(cuts, cut, thread, &o) || o.blocked || is_unknown(&o)) return false;
	return !may_wait(cuts->x, own[position - 1].depth, o.known, o.op, o.accesses, o.naccesses);
}

uint32_t mz_cut_preemptions(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread)
{
	uint32_t preemptions = 0;
	for (uint32_t t = 0; t < cuts->width; t++) {
		if (!cut->at[t]) continue;
		preemptions += cuts->threads[t].at[cut->at[t] - 1].preemptions;
		preemptions += t != thread && never_waits(cuts, cut, t);
	}
	return preemptions;
}

/* Returns whether one of the writes that a thread awaits is in the cut. */
static bool is_woken(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, const struct operation *o)
{
	struct mz_execution *x = cuts->x;
	cuts->writes.count = 0;
	for (unsigned n = 0; n < o->naccesses; n++) {
		uint16_t age = o->accesses[n].age;
		if (!age) continue;
		uint32_t read = age == MZ_AGE_EVER ? 0 : cuts->threads[thread].at[cut->at[thread] - age].depth;
		mz_execution_wakers(x, o->op, &o->accesses[n], read, &cuts->writes);
	}
	for (size_t n = 0; n < cuts->writes.count; n++) {
		if (is_in(cut, &x->records[cuts->writes.at[n]])) return true;
	}
	return false;
}

/* Returns whether an operation that waits for any of several objects gets one of them in the state of the cut. If no
 * event outside of the cut uses any of them, they are as they are at the end of the execution. */
static bool gets_any(const struct mz_cuts *cuts, const struct mz_cut *cut, const struct operation *o)
{
	bool known = false;
	for (unsigned n = 0; n < o->naccesses; n++) {
		uint64_t state = 0;
		known |= state_of(cuts, cut, o->accesses[n].object, &state);
		if (mz_class_passes(MZ_CLASS_ANY, state, o->accesses[n].expected)) return true;
	}
	return !known && !o->blocked;
}

static bool is_enabled(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, const struct operation *o)
{
	uint64_t state;
	if (mz_accesses_await(o->accesses, o->naccesses) && !is_woken(cuts, cut, thread, o)) return false;
	enum mz_op_class class = mz_op_class((enum mz_op)o->op);
	if (!mz_class_waits(class)) return true;
	if (class == MZ_CLASS_ANY) return gets_any(cuts, cut, o);
	if (!state_of(cuts, cut, o->accesses[0].object, &state)) return !o->blocked;
	return mz_class_passes(class, state, o->accesses[0].expected);
}

/* Returns whether the cut is the whole execution. */
static bool is_whole(const struct mz_cuts *cuts, const struct mz_cut *cut)
{
	for (uint32_t t = 0; t < cuts->x->nthreads; t++) {
		if (cut->at[t] != cuts->x->threads[t].position) return false;
	}
	return true;
}

/* Returns whether the event of that past is in the cut. */
static bool has_past(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t past)
{
	uint32_t thread = mz_pasts_thread(&cuts->pasts, past);
	for (uint32_t n = thread < cuts->width ? cut->at[thread] : 0; n > 0; n--) {
		if (cuts->threads[thread].at[n - 1].past == past) return true;
	}
	return false;
}

/* Returns whether the last events of other threads that happen before the event of that past are in the cut. */
static bool is_possible(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t past)
{
	uint32_t before;
	for (size_t n = 0; (before = mz_pasts_before(&cuts->pasts, past, n)) != MZ_NO_PAST; n++) {
		if (!has_past(cuts, cut, before)) return false;
	}
	return true;
}

/* Returns whether a thread of a host is enabled in the state of a cut. The thread is enabled after the whole execution,
 * and the host has not told what it is about to do; what it was seen to do there decides. */
static bool would_go(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread)
{
	uint32_t first = mz_pasts_following(&cuts->pasts, thread, mz_cut_last(cuts, cut, thread));
	bool told = false;
	for (uint32_t past = first; past; past = mz_pasts_sibling(&cuts->pasts, past)) {
		struct mz_access access;
		struct mz_event event = mz_pasts_event(&cuts->pasts, past, &access, 1);
		uint64_t state;
		if (event.op == MZ_OP_LOCK)
			return !state_of(cuts, cut, access.object, &state) ||
			       mz_class_passes(MZ_CLASS_ACQUIRE, state, 0);
		if (event.naccesses) return true;
		if (is_possible(cuts, cut, past)) return true;
		told = true;
	}
	return !told;
}

/* Returns whether the step of a thread that once had to wait there was seen with exactly the past that it has in the
 * cut. */
static bool was_seen(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, const struct operation *o)
{
	if (o->record && is_within(cuts, cut, o->record->clock)) return true;
	return mz_cut_next(cuts, cut, thread, 0) != MZ_NO_PAST;
}

/* Returns whether it is not known for certain that the thread can go on in the state of the cut: after the same past it
 * once had to wait, and the host did not tell for what. */
static bool is_untold(const struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, const struct operation *o)
{
	if (!cuts->waited || (!o->record && !is_unknown(o))) return false;
	if (mz_class_contends(mz_op_class((enum mz_op)o->op))) return false;
	return mz_pasts_marked(&cuts->pasts, thread, mz_cut_last(cuts, cut, thread));
}

uint32_t mz_cut_alternatives(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, bool perhaps)
{
	struct operation o;
	uint64_t state;
	if (!operation_of(cuts, cut, thread, &o) || !is_enabled(cuts, cut, thread, &o)) return 0;
	if (is_untold(cuts, cut, thread, &o)) {
		if (!o.record && is_whole(cuts, cut)) return !o.waiting;
		return was_seen(cuts, cut, thread, &o) || perhaps;
	}
	if (is_unknown(&o) && !is_whole(cuts, cut)) return would_go(cuts, cut, thread);
	if (o.op == MZ_OP_SIGNAL && state_of(cuts, cut, o.accesses[0].object, &state))
		return state > 1 ? (uint32_t)state : 1;
	return o.alternatives;
}

/* ---- the next event ---- */

static void clock_join(struct mz_cuts *cuts, const struct mz_event_record *r)
{
	const uint32_t *counts = cuts->x->counts + r->clock.offset;
	for (uint32_t t = 0; t < r->clock.length; t++) {
		if (cuts->clock[t] < counts[t]) cuts->clock[t] = counts[t];
	}
	if (cuts->clock[r->event.thread] < r->position) cuts->clock[r->event.thread] = r->position;
}

/* Adds to the clock the events in the cut that conflict with an access. In a lane, everything before a write happens
 * before that write, so the loop may stop there. */
static void join_rivals(struct mz_cuts *cuts, const struct mz_cut *cut, const struct mz_access *access)
{
	struct mz_objects *objects = &cuts->x->objects;
	for (uint32_t l = mz_objects_lane(objects, access->object); l != MZ_NONE; l = objects->lanes[l].next) {
		if (!(objects->lanes[l].mask & access->mask)) continue;
		for (uint32_t a = objects->lanes[l].head; a != MZ_NONE; a = objects->links[a].previous) {
			const struct mz_event_record *r = &cuts->x->records[objects->links[a].event];
			if (!is_in(cut, r)) continue;
			if (mz_kinds_conflict(access->kind, objects->accesses[a].kind)) clock_join(cuts, r);
			if (objects->accesses[a].kind == MZ_WRITE) break;
		}
	}
}

/* Describes the event as it would be in the state of the cut. Returns false when there is no memory. */
static bool predict(struct mz_cuts *cuts, const struct mz_cut *cut, const struct operation *o,
                    const struct mz_event *event)
{
	clock_set(cuts, o->known);
	for (unsigned n = 0; n < event->naccesses; n++) join_rivals(cuts, cut, &event->accesses[n]);
	return describe(cuts, event, mz_cut_last(cuts, cut, event->thread));
}

static bool copy_accesses(struct mz_cuts *cuts, const struct mz_access *accesses, size_t count)
{
	if (!mz_array_reserve(&cuts->accesses, &cuts->accesses_capacity, count + 1)) return false;
	if (count && accesses) memcpy(cuts->accesses, accesses, count * sizeof *accesses);
	return true;
}

static uint32_t find(struct mz_cuts *cuts, const struct mz_cut *cut, const struct operation *o,
                     const struct mz_event *event)
{
	if (predict(cuts, cut, o, event)) return mz_pasts_find(&cuts->pasts, &cuts->description);
	cuts->x->failed = true;
	return MZ_NO_PAST;
}

/* Finds the past of the next event of a thread whose operation is unknown: one of those that were seen after the same
 * past. */
static uint32_t find_unknown(struct mz_cuts *cuts, const struct mz_cut *cut, const struct operation *o, uint32_t thread,
                             uint32_t choice)
{
	uint32_t past = mz_pasts_following(&cuts->pasts, thread, mz_cut_last(cuts, cut, thread));
	for (; past; past = mz_pasts_sibling(&cuts->pasts, past)) {
		struct mz_event event = mz_pasts_event(&cuts->pasts, past, cuts->accesses, cuts->accesses_capacity);
		if (event.naccesses > cuts->accesses_capacity) {
			if (!copy_accesses(cuts, NULL, event.naccesses)) cuts->x->failed = true;
			if (cuts->x->failed) return MZ_NO_PAST;
			event = mz_pasts_event(&cuts->pasts, past, cuts->accesses, cuts->accesses_capacity);
		}
		if (event.choice != choice) continue;
		/* the thread may know of more than the event did, by order edges */
		if (!event.naccesses && is_possible(cuts, cut, past)) return past;
		if (find(cuts, cut, o, &event) == past) return past;
	}
	return MZ_NO_PAST;
}

/* Returns the past of the thread's next event if that is known without describing the event; MZ_NO_PAST if it is not.
 * `*known`: nothing else would find it either. */
static uint32_t find_made(struct mz_cuts *cuts, const struct mz_cut *cut, const struct operation *o, uint32_t thread,
                          uint32_t choice, bool *known)
{
	*known = true;
	if (o->record && o->record->event.choice == choice && is_within(cuts, cut, o->record->clock))
		return cuts->threads[thread].at[cut->at[thread]].past;
	/* a section may touch other objects where it comes earlier or later */
	if (is_unknown(o) || o->op == MZ_OP_ATOMIC || o->partial) return find_unknown(cuts, cut, o, thread, choice);
	*known = false;
	return MZ_NO_PAST;
}

/* Describes the next event with the k-th of its outcomes. Returns false if there is no such outcome, or no memory. */
static bool predict_outcome(struct mz_cuts *cuts, const struct mz_cut *cut, const struct operation *o, uint32_t thread,
                            uint32_t choice, unsigned k)
{
	struct mz_event event = {.thread = thread,
	                         .choice = choice,
	                         .alternatives = 1,
	                         .op = o->op,
	                         .naccesses = o->naccesses,
	                         .accesses = cuts->accesses};
	enum mz_op_class class = mz_op_class((enum mz_op)o->op);
	if (k >= (mz_class_has_outcomes(class) ? MZ_NEXT_KEYS : 1U)) return false;
	for (unsigned n = 0; n < o->naccesses && mz_class_has_outcomes(class); n++) {
		if (!cuts->accesses[n].only_waited) cuts->accesses[n].kind = mz_class_kind(class, k == 0);
	}
	if (predict(cuts, cut, o, &event)) return true;
	cuts->x->failed = true;
	return false;
}

uint32_t mz_cut_next(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, uint32_t choice)
{
	struct operation o;
	bool known;
	if (!operation_of(cuts, cut, thread, &o)) return MZ_NO_PAST;
	uint32_t past = find_made(cuts, cut, &o, thread, choice, &known);
	if (!known && !copy_accesses(cuts, o.accesses, o.naccesses)) cuts->x->failed = known = true;
	for (unsigned k = 0; !known && !past && predict_outcome(cuts, cut, &o, thread, choice, k); k++)
		past = mz_pasts_find(&cuts->pasts, &cuts->description);
	return past;
}

/* ---- keys ---- */

static struct mz_key key_xor(struct mz_key a, struct mz_key b)
{
	return (struct mz_key){a.low ^ b.low, a.high ^ b.high};
}

struct mz_key mz_cuts_whole_key(const struct mz_cuts *cuts)
{
	struct mz_key key = {0};
	for (uint32_t t = 0; t < cuts->x->nthreads; t++)
		key = key_xor(key, mz_pasts_key(&cuts->pasts, latest_past(cuts, t)));
	return key;
}

struct mz_key mz_cut_key(const struct mz_cuts *cuts, const struct mz_cut *cut)
{
	struct mz_key key = {0};
	for (uint32_t t = 0; t < cuts->width; t++)
		key = key_xor(key, mz_pasts_key(&cuts->pasts, mz_cut_last(cuts, cut, t)));
	return key;
}

size_t mz_cut_next_keys(struct mz_cuts *cuts, const struct mz_cut *cut, uint32_t thread, uint32_t choice,
                        struct mz_key keys[MZ_NEXT_KEYS])
{
	struct operation o;
	bool known;
	size_t count = 0;
	if (!operation_of(cuts, cut, thread, &o)) return 0;
	const struct mz_key others =
	    key_xor(mz_cut_key(cuts, cut), mz_pasts_key(&cuts->pasts, mz_cut_last(cuts, cut, thread)));
	uint32_t past = find_made(cuts, cut, &o, thread, choice, &known);
	if (past) keys[count++] = key_xor(others, mz_pasts_key(&cuts->pasts, past));
	if (!known && !copy_accesses(cuts, o.accesses, o.naccesses)) cuts->x->failed = known = true;
	for (unsigned k = 0; !known && predict_outcome(cuts, cut, &o, thread, choice, k); k++)
		keys[count++] = key_xor(others, mz_pasts_key_of(&cuts->pasts, &cuts->description));
	return count;
}
