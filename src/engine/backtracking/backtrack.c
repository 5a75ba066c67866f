/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/backtrack.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "engine/backtracking/backtrack_check.h"
#include "engine/scheduling/preference.h"

/* The sets of threads that a node has, one behind the other; ALLOWED and RESERVED are there only with bounds. */
enum { WANTED, DONE, ENABLED, PRESENT, SETS, ALLOWED = SETS, RESERVED, SETS_BOUNDED };

static const struct mz_step nothing = {MZ_NO_THREAD, 0};

void mz_backtrack_init(struct mz_backtrack *b, struct mz_execution *x, const struct mz_search_options *options,
                       bool sleeps)
{
	b->x = x;
	b->sleeps = sleeps;
	b->ordering.order = options->order;
}

void mz_backtrack_release(struct mz_backtrack *b)
{
	mz_free(b->nodes);
	mz_free(b->sets);
	mz_sleep_release(&b->sleep);
	mz_backtrack_check_free(b->check);
}

void mz_backtrack_promise(struct mz_backtrack *b)
{
#ifdef MZ_CHECKS
	b->check = mz_backtrack_check_new();
	if (!b->check) b->x->failed = true;
#else
	(void)b;
#endif
}

static size_t words_of(const struct mz_backtrack *b, uint32_t words)
{
	return (b->bounds ? SETS_BOUNDED : SETS) * (size_t)words;
}

static uint64_t *set_of(const struct mz_backtrack *b, const struct mz_backtrack_node *node, int set)
{
	return b->sets + node->first + (size_t)set * node->words;
}

static bool in_set(const struct mz_backtrack *b, const struct mz_backtrack_node *node, int set, uint32_t thread)
{
	return thread / 64 < node->words && (set_of(b, node, set)[thread / 64] >> thread % 64 & 1);
}

bool mz_backtrack_enabled(const struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	return in_set(b, &b->nodes[depth], ENABLED, thread);
}

bool mz_backtrack_present(const struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	return in_set(b, &b->nodes[depth], PRESENT, thread);
}

uint32_t mz_backtrack_count_enabled(const struct mz_backtrack *b, uint32_t depth)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	uint32_t count = 0;
	for (uint32_t w = 0; w < node->words; w++) {
		count += (uint32_t)__builtin_popcountll(set_of(b, node, ENABLED)[w]);
	}
	return count;
}

/* --- going down --------------------------------------------------------------------------------------------------- */

static bool reserve(struct mz_backtrack *b, uint32_t words)
{
	if (!mz_array_reserve(&b->nodes, &b->nodes_capacity, b->nnodes + 1)) return false;
	return mz_array_reserve(&b->sets, &b->sets_capacity, b->nwords + words_of(b, words));
}

static void fill_sets(struct mz_backtrack *b, const struct mz_backtrack_node *node, const struct mz_view *view)
{
	uint64_t *enabled = set_of(b, node, ENABLED), *present = set_of(b, node, PRESENT);
	for (size_t w = 0; w < words_of(b, node->words); w++) b->sets[node->first + w] = 0;
	for (uint32_t t = 0; t < view->nthreads; t++) {
		uint64_t bit = (uint64_t)1 << t % 64;
		if (view->pending[t].status != MZ_THREAD_ABSENT) present[t / 64] |= bit;
		if (view->pending[t].status == MZ_THREAD_ENABLED) enabled[t / 64] |= bit;
		if (view->pending[t].status == MZ_THREAD_WAITING) mz_backtrack_check_stop(b);
	}
}

static bool fall_asleep(struct mz_backtrack *b, struct mz_backtrack_node *node)
{
	if (!b->sleeps) return true;
	if (b->nnodes == 0) {
		node->asleep = mz_sleep_bottom(&b->sleep);
		return true;
	}
	const struct mz_event *last = mz_execution_event(b->x, b->x->depth - 1);
	return mz_sleep_pass(&b->sleep, &node[-1].asleep, last, &node->asleep);
}

static struct mz_backtrack_node *node_push(struct mz_backtrack *b, const struct mz_view *view)
{
	uint32_t words = (view->nthreads + 63) / 64;
	if (!reserve(b, words)) return NULL;
	struct mz_backtrack_node *node = &b->nodes[b->nnodes];
	*node = (struct mz_backtrack_node){.thread = MZ_NO_THREAD, .words = words, .first = b->nwords};
	if (!fall_asleep(b, node)) return NULL;
	b->nwords += words_of(b, words);
	fill_sets(b, node, view);
	if (b->bounds && !mz_bounds_find_allowed(b->bounds, view, set_of(b, node, ALLOWED))) return NULL;
	b->nnodes++;
	mz_backtrack_check_node(b);
	return node;
}

static bool allowed(const struct mz_backtrack *b, const struct mz_backtrack_node *node, uint32_t thread)
{
	return !b->bounds || in_set(b, node, ALLOWED, thread);
}

bool mz_backtrack_allowed(const struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	return allowed(b, &b->nodes[depth], thread);
}

static void refuse(struct mz_backtrack *b, struct mz_backtrack_node *node)
{
	b->refused += !node->refused;
	node->refused = true;
}

static bool awake(const struct mz_backtrack *b, const struct mz_backtrack_node *node, const struct mz_view *view,
                  uint32_t thread)
{
	return mz_sleep_awake(&b->sleep, &node->asleep, view, thread) != MZ_NO_THREAD;
}

/* Returns the thread with the least rank among those of a set that are awake, or MZ_NO_THREAD. */
static uint32_t least(struct mz_backtrack *b, const struct mz_backtrack_node *node, const struct mz_view *view, int set,
                      uint32_t last)
{
	uint32_t best = MZ_NO_THREAD;
	uint64_t best_rank = 0;
	mz_ordering_begin(&b->ordering, b->x, view, last);
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (!in_set(b, node, set, t) || !awake(b, node, view, t)) continue;
		uint64_t rank = mz_ordering_rank(&b->ordering, t);
		if (best != MZ_NO_THREAD && rank >= best_rank) continue;
		best = t;
		best_rank = rank;
	}
	return best;
}

/* Returns the thread that would be preempted if another one went, if preemptions are bounded; else MZ_NO_THREAD. */
static uint32_t running(const struct mz_backtrack *b)
{
	if (!b->bounds || !(b->bounds->kinds & MZ_BOUND_PREEMPTIONS)) return MZ_NO_THREAD;
	return mz_bounds_running(b->bounds, b->x->depth);
}

static uint32_t free_thread(struct mz_backtrack *b, struct mz_backtrack_node *node, const struct mz_view *view)
{
	uint32_t thread = running(b);
	if (thread != MZ_NO_THREAD && awake(b, node, view, thread)) return thread;
	if (mz_ordering_asks(&b->ordering)) return least(b, node, view, b->bounds ? ALLOWED : ENABLED, view->current);
	struct mz_preference preference = mz_preference_start(b->x, view);
	while ((thread = mz_preference_next(&preference)) != MZ_NO_THREAD) {
		if (awake(b, node, view, thread) && allowed(b, node, thread)) break;
	}
	return thread;
}

/* Refuses what is awake at a node where nothing that may go is awake. */
static void refuse_awake(struct mz_backtrack *b, struct mz_backtrack_node *node, const struct mz_view *view)
{
	for (uint32_t t = 0; t < view->nthreads; t++) {
		if (mz_enabled(view, t) && awake(b, node, view, t)) refuse(b, node);
	}
}

/* Returns which of the alternatives of the thread that is being explored is the next that is awake, from the n-th on;
 * MZ_NONE if there is none. */
static uint32_t next_alternative(const struct mz_backtrack *b, const struct mz_backtrack_node *node, uint32_t n)
{
	for (; n < node->alternatives.count; n++) {
		if (!mz_sleep_has(&b->sleep, &node->asleep, node->thread, mz_alternative(&node->alternatives, n)))
			return n;
	}
	return MZ_NONE;
}

static void begin_thread(struct mz_backtrack *b, struct mz_backtrack_node *node, const struct mz_view *view,
                         uint32_t thread)
{
#ifdef MZ_CHECKS
	/* only in test builds: a program that depends on what is not seen may break this */
	MZ_REQUIRE(mz_enabled(view, thread));
#endif
	node->thread = thread;
	node->alternatives = mz_alternatives_possible(view, thread);
	node->nth = next_alternative(b, node, 0);
	set_of(b, node, WANTED)[thread / 64] &= ~((uint64_t)1 << thread % 64);
	set_of(b, node, DONE)[thread / 64] |= (uint64_t)1 << thread % 64;
}

struct mz_step mz_backtrack_choose(struct mz_backtrack *b, const struct mz_view *view)
{
	bool new = mz_backtrack_is_new(b);
	struct mz_backtrack_node *node = new ? node_push(b, view) : &b->nodes[b->x->depth];
	if (!node) {
		b->x->failed = true;
		return nothing;
	}
	uint32_t more = new ? MZ_NONE : next_alternative(b, node, node->nth + 1);
	node->below = node->cheap = false;
	if (more != MZ_NONE) {
		node->nth = more;
	} else {
		uint32_t thread = new ? free_thread(b, node, view) : least(b, node, view, WANTED, node->thread);
		b->gave_up = thread == MZ_NO_THREAD;
		if (b->gave_up) {
			if (b->bounds) refuse_awake(b, node, view);
			return nothing;
		}
		begin_thread(b, node, view, thread);
	}
	if (b->bounds) mz_bounds_take_step(b->bounds, view, node->thread);
	return (struct mz_step){node->thread, mz_alternative(&node->alternatives, node->nth)};
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

static bool sleeps_altogether(const struct mz_backtrack *b, const struct mz_backtrack_node *node, uint32_t thread)
{
	uint32_t asleep = 0, alternatives = 1;
	for (size_t n = 0; n < node->asleep.count; n++) {
		const struct mz_event *sleeper = mz_sleep_at(&b->sleep, &node->asleep, n);
		if (sleeper->thread != thread) continue;
		asleep++;
		alternatives = sleeper->alternatives;
	}
	return asleep >= alternatives;
}

static bool taken(const struct mz_backtrack *b, const struct mz_backtrack_node *node, uint32_t thread)
{
	return in_set(b, node, WANTED, thread) || in_set(b, node, DONE, thread);
}

bool mz_backtrack_has_thread(const struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	return taken(b, &b->nodes[depth], thread);
}

bool mz_backtrack_covers(const struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	return taken(b, node, thread) || sleeps_altogether(b, node, thread);
}

bool mz_backtrack_covers_step(const struct mz_backtrack *b, uint32_t depth, uint32_t thread, uint32_t choice)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	return taken(b, node, thread) || mz_sleep_has(&b->sleep, &node->asleep, thread, choice);
}

bool mz_backtrack_slept_on_arrival(const struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	if (taken(b, node, thread)) return false;
	for (size_t n = 0; n < node->asleep.count; n++) {
		if (mz_sleep_at(&b->sleep, &node->asleep, n)->thread == thread) return true;
	}
	return false;
}

void mz_backtrack_add(struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	MZ_REQUIRE(mz_backtrack_enabled(b, depth, thread));
	struct mz_backtrack_node *node = &b->nodes[depth];
	if (mz_backtrack_covers(b, depth, thread)) return;
	if (allowed(b, node, thread))
		set_of(b, node, WANTED)[thread / 64] |= (uint64_t)1 << thread % 64;
	else
		refuse(b, node);
}

void mz_backtrack_add_all(struct mz_backtrack *b, uint32_t depth)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	for (uint32_t w = 0; w < node->words; w++) {
		uint64_t set = set_of(b, node, ENABLED)[w] & ~set_of(b, node, DONE)[w] & ~set_of(b, node, WANTED)[w];
		for (; set; set &= set - 1) mz_backtrack_add(b, depth, 64 * w + (uint32_t)__builtin_ctzll(set));
	}
}

void mz_backtrack_reserve(struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	MZ_REQUIRE(b->bounds && mz_backtrack_enabled(b, depth, thread));
	set_of(b, &b->nodes[depth], RESERVED)[thread / 64] |= (uint64_t)1 << thread % 64;
}

void mz_backtrack_reserve_all(struct mz_backtrack *b, uint32_t depth)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	for (uint32_t w = 0; w < node->words; w++) set_of(b, node, RESERVED)[w] |= set_of(b, node, ENABLED)[w];
}

/* --- going back --------------------------------------------------------------------------------------------------- */

static bool anything_left(const struct mz_backtrack *b, const struct mz_backtrack_node *node)
{
	if (node->thread == MZ_NO_THREAD) return false;
	if (next_alternative(b, node, node->nth + 1) != MZ_NONE) return true;
	for (uint32_t w = 0; w < node->words; w++) {
		if (set_of(b, node, WANTED)[w]) return true;
	}
	return false;
}

/* Adds the threads that a node holds in reserve, if something was refused there or below. */
static void call_up(struct mz_backtrack *b, uint32_t depth)
{
	struct mz_backtrack_node *node = &b->nodes[depth];
	if (!b->bounds || !node->refused || node->thread == MZ_NO_THREAD) return;
	for (uint32_t w = 0; w < node->words; w++) {
		uint64_t set = set_of(b, node, RESERVED)[w];
		set_of(b, node, RESERVED)[w] = 0;
		for (; set; set &= set - 1) mz_backtrack_add(b, depth, 64 * w + (uint32_t)__builtin_ctzll(set));
	}
}

/* Removes the deepest node, of which nothing is left, and tells the one above whether something was refused in it. */
static void node_pop(struct mz_backtrack *b)
{
	const struct mz_backtrack_node *node = &b->nodes[--b->nnodes];
	if (b->nnodes == 0 || !node->refused) return;
	b->nodes[b->nnodes - 1].refused = b->nodes[b->nnodes - 1].below = true;
}

/* Puts the step that was being explored from a depth to sleep, unless something was refused below it and it is not
 * cheap, or the program died in it, so that it is not known what it touches. */
static void put_to_sleep(struct mz_backtrack *b, uint32_t depth)
{
	if (!b->sleeps || depth >= b->x->depth) return;
	if (b->nodes[depth].below && !b->nodes[depth].cheap) return;
	if (!mz_sleep_add(&b->sleep, &b->nodes[depth].asleep, mz_execution_event(b->x, depth))) b->x->failed = true;
}

/* Goes back to the deepest node from which something is left. */
static void leave_nodes(struct mz_backtrack *b)
{
	for (; b->nnodes; node_pop(b)) {
		uint32_t depth = (uint32_t)b->nnodes - 1;
		mz_backtrack_check_step(b, depth);
		call_up(b, depth);
		if (anything_left(b, &b->nodes[depth])) return;
		mz_backtrack_check_leave(b, depth);
	}
}

void mz_backtrack_end(struct mz_backtrack *b, bool cut)
{
	mz_backtrack_check_execution(b, cut && !b->gave_up);
}

void mz_backtrack_restart(struct mz_backtrack *b)
{
	b->nnodes = b->nwords = 0;
}

bool mz_backtrack_next(struct mz_backtrack *b, uint32_t *depth)
{
	*depth = 0;
	b->gave_up = false;
	if (!b->started) return b->started = true;
	leave_nodes(b);
	if (b->nnodes == 0) return false;
	const struct mz_backtrack_node *node = &b->nodes[b->nnodes - 1];
	b->nwords = node->first + words_of(b, node->words);
	*depth = (uint32_t)b->nnodes - 1;
	put_to_sleep(b, *depth);
	return true;
}
