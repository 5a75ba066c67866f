/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/backtrack_check.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "engine/execution/waiting.h"
#include "engine/reversal/race.h"
#include <string.h>

#define EXECUTIONS 5000
#define DEPTH 100
#define THREADS 64
#define MOVES 4 /* how many accesses an operation has at most whose outcome depends on where it is executed */

/* An element of a list of events. */
struct note {
	struct mz_event event;
	/* a bit for each thread with an event since the node that the event's thread knew of; its own included */
	uint64_t past;
	struct note *next;
};

/* An element of a list of sequences, each of which reverses a race. */
struct reversed {
	struct reversed *next;
	size_t count;
	const struct mz_event *events[];
};

/* What is noted about a node. */
struct notes {
	struct mz_arena arena;
	struct note *explored; /* the steps that were explored from the node */
	struct note *asleep;   /* the steps that have to sleep here, besides those that were explored */
	struct note *seen;     /* events of executions through the node */
	struct reversed *reversed;
	bool cut; /* an execution through the node was cut short */
};

struct mz_backtrack_check {
	struct notes *nodes; /* by depth */
	size_t capacity;
	uint32_t fresh; /* depth from which on the execution is new */
	uint32_t executions;
	bool off;
	const struct mz_event **sequence; /* scratch */
	size_t sequence_capacity;
};

struct mz_backtrack_check *mz_backtrack_check_new(void)
{
	struct mz_backtrack_check *check = mz_alloc(sizeof *check);
	if (check) *check = (struct mz_backtrack_check){0};
	return check;
}

void mz_backtrack_check_free(struct mz_backtrack_check *check)
{
	if (!check) return;
	for (size_t n = 0; n < check->capacity; n++) mz_arena_release(&check->nodes[n].arena);
	mz_free(check->nodes);
	mz_free(check->sequence);
	mz_free(check);
}

void mz_backtrack_check_stop(struct mz_backtrack *b)
{
	if (b->check) b->check->off = true;
}

/* Returns whether checking goes on. */
static bool is_on(const struct mz_backtrack *b)
{
	return b->check && !b->check->off && !b->x->failed;
}

static void *take(struct mz_backtrack *b, struct notes *notes, size_t size)
{
	void *block = mz_arena_take(&notes->arena, size);
	if (!block) b->x->failed = true;
	return block;
}

static struct mz_event *event_copy(struct mz_backtrack *b, struct notes *notes, const struct mz_event *event)
{
	size_t size = event->naccesses * sizeof *event->accesses;
	struct mz_event *copy = take(b, notes, sizeof *copy + size);
	if (!copy) return NULL;
	*copy = *event;
	copy->accesses = (struct mz_access *)(copy + 1);
	if (size) memcpy(copy + 1, event->accesses, size);
	return copy;
}

static void note(struct mz_backtrack *b, struct notes *notes, struct note **list, const struct mz_event *event,
                 uint64_t past)
{
	const struct mz_event *copy = event_copy(b, notes, event);
	struct note *new = copy ? take(b, notes, sizeof *new) : NULL;
	if (!new) return;
	*new = (struct note){*copy, past, *list};
	*list = new;
}

static bool dependent(const struct mz_event *a, const struct mz_event *b)
{
	if (a->thread == b->thread) return true;
	for (unsigned m = 0; m < a->naccesses; m++) {
		for (unsigned n = 0; n < b->naccesses; n++) {
			if (mz_accesses_conflict(&a->accesses[m], &b->accesses[n])) return true;
		}
	}
	return false;
}

/* --- sleep sets --------------------------------------------------------------------------------------------------- */

static void pass_on(struct mz_backtrack *b, struct notes *notes, const struct note *list, const struct mz_event *last)
{
	for (; list && !b->x->failed; list = list->next) {
		if (!dependent(&list->event, last)) note(b, notes, &notes->asleep, &list->event, 0);
	}
}

static bool grow(struct mz_backtrack *b)
{
	struct mz_backtrack_check *check = b->check;
	size_t old = check->capacity;
	if (!mz_array_reserve(&check->nodes, &check->capacity, b->nnodes)) {
		b->x->failed = true;
		return false;
	}
	for (; old < check->capacity; old++) check->nodes[old] = (struct notes){0};
	return true;
}

void mz_backtrack_check_node(struct mz_backtrack *b)
{
	if (!is_on(b)) return;
	uint32_t depth = b->x->depth;
	b->check->off = depth >= DEPTH || b->x->nthreads > THREADS;
	if (b->check->off || !grow(b)) return;
	struct notes *notes = &b->check->nodes[depth];
	mz_arena_rewind(&notes->arena, (struct mz_arena_mark){notes->arena.first, 0});
	*notes = (struct notes){.arena = notes->arena};
	if (!b->sleeps) return;
	if (depth) {
		const struct mz_event *last = mz_execution_event(b->x, depth - 1);
		pass_on(b, notes, notes[-1].asleep, last);
		pass_on(b, notes, notes[-1].explored, last);
	}
	const struct mz_sleep_set *asleep = &b->nodes[depth].asleep;
	size_t count = 0;
	for (const struct note *n = notes->asleep; n; n = n->next, count++) {
		MZ_REQUIRE(mz_sleep_has(&b->sleep, asleep, n->event.thread, n->event.choice));
	}
	MZ_REQUIRE(count == asleep->count || b->x->failed);
}

/* --- what executions show ----------------------------------------------------------------------------------------- */

/* Returns a set of threads: that of event k, and those of the events from depth n on that it knew of before event k. */
static uint64_t past_since(const struct mz_execution *x, uint32_t n, uint32_t k)
{
	const struct mz_event_record *r = &x->records[k];
	uint64_t past = (uint64_t)1 << r->event.thread;
	for (uint32_t i = n; i < k; i++) {
		const struct mz_event_record *before = &x->records[i];
		if (mz_event_clock_knows(x, r->known, before)) past |= (uint64_t)1 << before->event.thread;
	}
	return past;
}

/* Returns what the event does wherever it is moved to: if its outcome depends on the place, it may only read. */
static struct mz_event least_of(const struct mz_event *event, struct mz_access *accesses)
{
	struct mz_event least = *event;
	enum mz_op_class class = mz_op_class((enum mz_op)event->op);
	if (!mz_class_has_outcomes(class) || event->naccesses > MOVES) return least;
	for (unsigned n = 0; n < event->naccesses; n++) {
		accesses[n] = event->accesses[n];
		accesses[n].kind = mz_class_kind(class, false);
	}
	least.accesses = accesses;
	return least;
}

static bool same_accesses(const struct mz_event *a, const struct mz_event *b)
{
	if (a->naccesses != b->naccesses) return false;
	for (unsigned n = 0; n < a->naccesses; n++) {
		const struct mz_access *p = &a->accesses[n], *q = &b->accesses[n];
		if (p->object != q->object || p->mask != q->mask || p->kind != q->kind) return false;
	}
	return true;
}

static void see(struct mz_backtrack *b, uint32_t n, uint32_t k)
{
	struct notes *notes = &b->check->nodes[n];
	struct mz_access accesses[MOVES];
	const struct mz_event event = least_of(mz_execution_event(b->x, k), accesses);
	/* the write that it awaited is not in its past */
	if (mz_accesses_await(event.accesses, event.naccesses)) return;
	uint64_t past = past_since(b->x, n, k);
	for (const struct note *old = notes->seen; old; old = old->next) {
		if (old->past == past && same_accesses(&old->event, &event)) return;
	}
	note(b, notes, &notes->seen, &event, past);
}

/* Returns whether the step is a weak initial of the sequence. The last event of the sequence may have another choice
 * where it is moved to. */
static bool is_weak_initial(const struct mz_event *step, const struct mz_event *const *sequence, size_t count)
{
	size_t at = 0;
	while (at < count && sequence[at]->thread != step->thread) at++;
	if (at + 1 < count && sequence[at]->choice != step->choice) return false;
	const struct mz_event *event = at < count ? sequence[at] : step;
	for (size_t n = 0; n < at; n++) {
		if (dependent(sequence[n], event)) return false;
	}
	return true;
}

static bool covers(const struct note *list, const struct mz_event *const *sequence, size_t count)
{
	while (list && !is_weak_initial(&list->event, sequence, count)) list = list->next;
	return list;
}

static void keep_reversed(struct mz_backtrack *b, uint32_t i, size_t count)
{
	struct notes *notes = &b->check->nodes[i];
	struct reversed *new = take(b, notes, sizeof *new + count * sizeof *new->events);
	if (!new) return;
	for (size_t n = 0; n < count && !b->x->failed; n++) {
		new->events[n] = event_copy(b, notes, b->check->sequence[n]);
	}
	new->count = count;
	new->next = notes->reversed;
	notes->reversed = new;
}

/* Leaves in `sequence` the events that reverse the race (i, j); `second` is j as it would be there. Returns how many
 * they are. */
static size_t make_sequence(struct mz_backtrack *b, uint32_t i, uint32_t j, const struct mz_event *second)
{
	struct mz_backtrack_check *check = b->check;
	size_t count = 0;
	if (!mz_array_reserve(&check->sequence, &check->sequence_capacity, j - i)) {
		b->x->failed = true;
		return 0;
	}
	for (uint32_t k = i + 1; k < j; k++) {
		if (mz_execution_in_reversal(b->x, i, k)) check->sequence[count++] = mz_execution_event(b->x, k);
	}
	check->sequence[count++] = second;
	return count;
}

/* Notes the races of event j that are not covered yet. A race that is covered by now stays so. */
static void reverse(struct mz_backtrack *b, uint32_t j)
{
	struct mz_backtrack_check *check = b->check;
	struct mz_access accesses[MOVES];
	const struct mz_event second = least_of(mz_execution_event(b->x, j), accesses);
	/* without the first event of the race it may have to wait */
	if (mz_accesses_await(second.accesses, second.naccesses)) return;
	size_t nraces;
	const uint32_t *races = mz_execution_races(b->x, j, &nraces);
	for (size_t n = 0; n < nraces && !b->x->failed; n++) {
		const struct notes *notes = &check->nodes[races[n]];
		/* it is not known what it does there */
		if (mz_event_may_change(mz_execution_event(b->x, races[n]), second.op, second.accesses,
		                        second.naccesses))
			continue;
		const struct mz_waiting waiting = mz_waiting_executed(b->x, j);
		mz_waiting_prepare(b->x, &waiting, races[n]);
		size_t count = make_sequence(b, races[n], j, &second);
		if (covers(notes->explored, check->sequence, count)) continue;
		if (covers(notes->asleep, check->sequence, count)) continue;
		keep_reversed(b, races[n], count);
	}
}

void mz_backtrack_check_execution(struct mz_backtrack *b, bool cut)
{
	if (!is_on(b)) return;
	struct mz_backtrack_check *check = b->check;
	check->off = check->executions++ == EXECUTIONS;
	for (uint32_t j = check->fresh; j < b->x->depth && !b->x->failed && !check->off; j++) {
		reverse(b, j);
		for (uint32_t n = 0; !b->sleeps && n < j; n++) see(b, n, j);
	}
	if (cut && b->nnodes) check->nodes[b->nnodes - 1].cut = true;
}

/* --- leaving ------------------------------------------------------------------------------------------------------ */

void mz_backtrack_check_step(struct mz_backtrack *b, uint32_t depth)
{
	if (!is_on(b)) return;
	struct notes *notes = &b->check->nodes[depth];
	b->check->fresh = depth;
	if (b->nodes[depth].thread == MZ_NO_THREAD) return;
	if (depth < b->x->depth)
		note(b, notes, &notes->explored, mz_execution_event(b->x, depth), 0);
	else
		notes->cut = true; /* the program died in the step */
}

static void check_source(const struct notes *notes)
{
	for (const struct reversed *r = notes->reversed; r; r = r->next) {
		MZ_REQUIRE(covers(notes->explored, r->events, r->count) || covers(notes->asleep, r->events, r->count));
	}
}

/* Returns whether the event depends on the step and could have been executed right before or after it. An acquisition
 * could only if the lock was free. */
static bool meet(const struct mz_event *step, const struct mz_event *event)
{
	enum mz_op_class class = mz_op_class((enum mz_op)event->op);
	for (unsigned m = 0; m < step->naccesses; m++) {
		for (unsigned n = 0; n < event->naccesses; n++) {
			/* otherwise another object may keep the event waiting */
			bool decides = n == 0 || class == MZ_CLASS_ANY;
			bool passes = mz_class_passes(class, step->accesses[m].before, event->accesses[n].expected);
			if (mz_class_waits(class) && !(decides && passes)) continue;
			if (mz_accesses_conflict(&step->accesses[m], &event->accesses[n])) return true;
		}
	}
	return false;
}

static void check_persistent(const struct notes *notes)
{
	uint64_t explored = 0;
	for (const struct note *step = notes->explored; step; step = step->next) {
		explored |= (uint64_t)1 << step->event.thread;
	}
	for (const struct note *event = notes->seen; event; event = event->next) {
		if (event->past & explored) continue;
		if (event->event.op == MZ_OP_ATOMIC) continue; /* it may do something else at the node */
		for (const struct note *step = notes->explored; step; step = step->next) {
			MZ_REQUIRE(!meet(&step->event, &event->event));
		}
	}
}

void mz_backtrack_check_leave(struct mz_backtrack *b, uint32_t depth)
{
	if (!is_on(b)) return;
	const struct notes *notes = &b->check->nodes[depth];
	if (notes->cut) {
		if (depth) b->check->nodes[depth - 1].cut = true;
		return;
	}
	check_source(notes);
	if (!b->sleeps) check_persistent(notes);
}
