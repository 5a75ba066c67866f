/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/backtrack.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "engine/backtracking/backtrack_check.h"
#include "engine/backtracking/trunk_roam.h"
#include "engine/scheduling/preference.h"

/* The sets of threads that a node has, one behind the other; ALLOWED, RESERVED and AWAKE are there only with bounds. */
enum { WANTED, DONE, ENABLED, PRESENT, SETS, ALLOWED = SETS, RESERVED, AWAKE, SETS_BOUNDED };

static const struct mz_step nothing = {MZ_NO_THREAD, 0};

void mz_backtrack_init(struct mz_backtrack *b, struct mz_execution *x, const struct mz_search_options *options,
                       bool sleeps)
{
	b->x = x;
	b->sleeps = sleeps;
	mz_ordering_init(&b->ordering, options);
	b->trunk = options->trunk;
	if (b->trunk) b->trunk->forgets = true;
}

void mz_backtrack_release(struct mz_backtrack *b)
{
	mz_trunk_history_release(&b->history);
	mz_free(b->nodes);
	mz_free(b->sets);
	mz_sleep_release(&b->sleep);
	mz_backtrack_check_free(b->check);
}

void mz_backtrack_promise(struct mz_backtrack *b)
{
#ifdef MZ_CHECKS
	if (b->trunk) return; /* what others explore from a node is not seen here */
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
	node->inherited = (uint32_t)node->asleep.count;
	if (b->trunk && !mz_trunk_history_note(&b->history, b->nnodes)) return NULL;
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

static bool is_shared(const struct mz_backtrack *b, const struct mz_backtrack_node *node)
{
	return (size_t)(node - b->nodes) < mz_trunk_shared(b->trunk);
}

static void refuse(struct mz_backtrack *b, struct mz_backtrack_node *node)
{
	b->refused += !node->refused;
	node->refused = true;
	if (is_shared(b, node) && !mz_trunk_refuse(b->trunk, (size_t)(node - b->nodes))) b->x->failed = true;
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

/* Returns the thread that would be preempted if another one went, if preemptions or switches are bounded; else
 * MZ_NO_THREAD. */
static uint32_t running(const struct mz_backtrack *b)
{
	if (!b->bounds || !(b->bounds->kinds & (MZ_BOUND_PREEMPTIONS | MZ_BOUND_SWITCHES))) return MZ_NO_THREAD;
	return mz_bounds_running(b->bounds, b->x->depth);
}

/* Returns the thread that costs least within the fair bound among those that are awake and may go, or MZ_NO_THREAD. */
static uint32_t cheapest(struct mz_backtrack *b, const struct mz_backtrack_node *node, const struct mz_view *view)
{
	struct mz_preference preference = mz_preference_start(b->x, view);
	uint32_t best = MZ_NO_THREAD, least_cost = UINT32_MAX, thread;
	while ((thread = mz_preference_next(&preference)) != MZ_NO_THREAD) {
		if (!awake(b, node, view, thread) || !allowed(b, node, thread)) continue;
		uint32_t cost = mz_bounds_cost(b->bounds, view, MZ_BOUND_BIT_FAIR, thread);
		if (best != MZ_NO_THREAD && cost >= least_cost) continue;
		best = thread;
		least_cost = cost;
	}
	return best;
}

static uint32_t free_thread(struct mz_backtrack *b, struct mz_backtrack_node *node, const struct mz_view *view)
{
	uint32_t thread = running(b);
	if (thread != MZ_NO_THREAD && awake(b, node, view, thread)) return thread;
	if (b->cheapest) return cheapest(b, node, view);
	if (mz_ordering_asks(&b->ordering)) return least(b, node, view, b->bounds ? ALLOWED : ENABLED, view->current);
	struct mz_preference preference = mz_preference_start(b->x, view);
	while ((thread = mz_preference_next(&preference)) != MZ_NO_THREAD) {
		if (awake(b, node, view, thread) && allowed(b, node, thread)) break;
	}
	return thread;
}

/* Refuses what is awake at a node where nothing that may go is awake. The node is stuck if nothing may go at all. */
static void refuse_awake(struct mz_backtrack *b, struct mz_backtrack_node *node, const struct mz_view *view)
{
	uint64_t any = 0;
	for (uint32_t w = 0; w < node->words; w++) any |= set_of(b, node, ALLOWED)[w];
	node->stuck = !any;
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

/* --- following the trunk ------------------------------------------------------------------------------------------ */

/* Makes the next node of the path: the branches before that of the path sleep there, if it is known what they did. */
static struct mz_backtrack_node *shared_node_push(struct mz_backtrack *b, const struct mz_view *view)
{
	size_t depth = b->nnodes;
	struct mz_backtrack_node *node = node_push(b, view);
	if (!node || !b->sleeps) return node;
	const struct mz_wakeup *before = *mz_trunk_tree(b->trunk, depth), *own = b->trunk->path.at[depth];
	size_t distance = 0;
	for (const struct mz_wakeup *at = before; at && at != own; at = at->next) distance++;
	/* the path is not there if the workers have begun anew, and this one has not noticed yet */
	for (; before && before != own; before = before->next, distance--) {
		if (!mz_trunk_sleeps(before, distance, b->bounds)) continue;
		if (!mz_sleep_add(&b->sleep, &node->asleep, before->event)) return NULL;
	}
	return node;
}

/* Takes one alternative of a thread, whose branch stands for all of them; the others become branches of their own. */
static void take_alternative(struct mz_backtrack *b, struct mz_backtrack_node *node)
{
	uint32_t depth = b->x->depth, thread = node->thread, first = node->nth;
	bool right = true, alone = true;
	for (uint32_t n = next_alternative(b, node, first + 1); n != MZ_NONE; n = next_alternative(b, node, n + 1)) {
		struct mz_event name = mz_trunk_name(thread, mz_alternative(&node->alternatives, n), !b->sleeps);
		right &= mz_trunk_add_name(b->trunk, depth, &name);
		alone = false;
	}
	struct mz_event own = mz_trunk_name(thread, mz_alternative(&node->alternatives, first), !b->sleeps);
	if (!alone) right &= mz_trunk_replace_name(b->trunk, depth, &own, false);
	if (!right) b->x->failed = true;
}

/* Returns the step that the path demands. */
static struct mz_step follow(struct mz_backtrack *b, const struct mz_view *view)
{
	struct mz_backtrack_node *node = shared_node_push(b, view);
	if (!node) {
		b->x->failed = true;
		return nothing;
	}
	const struct mz_event *event = mz_trunk_event(b->trunk, b->x->depth);
	node->thread = event->thread;
	b->unnamed = event->alternatives == 0;
	if (b->bounds) mz_bounds_take_step(b->bounds, view, event->thread);
	if (event->choice != MZ_ANY_CHOICE) return (struct mz_step){event->thread, event->choice};
	node->alternatives = mz_alternatives_possible(view, event->thread);
	node->nth = next_alternative(b, node, 0);
	if (node->nth == MZ_NONE) return nothing;
	take_alternative(b, node);
	return (struct mz_step){node->thread, mz_alternative(&node->alternatives, node->nth)};
}

/* Tells others what the step did that leads to this worker's leaf. */
static void tell_event(struct mz_backtrack *b)
{
	size_t depth = b->trunk->path.length - 1;
	b->unnamed = false;
	if (b->x->depth <= depth) return; /* the program died in it, or inputs did not lead there */
	const struct mz_event *event = mz_execution_event(b->x, (uint32_t)depth);
	if (!mz_trunk_replace_name(b->trunk, depth, event, b->nodes[depth].cheap)) b->x->failed = true;
}

struct mz_step mz_backtrack_choose(struct mz_backtrack *b, const struct mz_view *view)
{
	if (__builtin_expect(b->trunk != NULL, 0)) {
		if (b->unnamed) tell_event(b);
		if (b->x->depth < b->trunk->path.length) return follow(b, view);
	}
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
	if (is_shared(b, node)) return mz_trunk_has_thread(b->trunk, (size_t)(node - b->nodes), thread);
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
	if (!allowed(b, node, thread)) {
		refuse(b, node);
	} else if (is_shared(b, node)) {
		const struct mz_event name = mz_trunk_name(thread, MZ_ANY_CHOICE, !b->sleeps);
		if (!mz_trunk_add_name(b->trunk, depth, &name)) b->x->failed = true;
	} else
		set_of(b, node, WANTED)[thread / 64] |= (uint64_t)1 << thread % 64;
}

void mz_backtrack_add_awake(struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	if (mz_backtrack_covers(b, depth, thread)) return;
	set_of(b, &b->nodes[depth], AWAKE)[thread / 64] |= (uint64_t)1 << thread % 64;
	mz_backtrack_add(b, depth, thread);
}

void mz_backtrack_add_all(struct mz_backtrack *b, uint32_t depth)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	for (uint32_t w = 0; w < node->words; w++) {
		uint64_t set = set_of(b, node, ENABLED)[w];
		if (!is_shared(b, node)) set &= ~set_of(b, node, DONE)[w] & ~set_of(b, node, WANTED)[w];
		for (; set; set &= set - 1) mz_backtrack_add(b, depth, 64 * w + (uint32_t)__builtin_ctzll(set));
	}
}

void mz_backtrack_reserve(struct mz_backtrack *b, uint32_t depth, uint32_t thread)
{
	MZ_REQUIRE(b->bounds && mz_backtrack_enabled(b, depth, thread));
	const struct mz_backtrack_node *node = &b->nodes[depth];
	if (!is_shared(b, node)) {
		set_of(b, node, RESERVED)[thread / 64] |= (uint64_t)1 << thread % 64;
		return;
	}
	const struct mz_event name = mz_trunk_name(thread, MZ_ANY_CHOICE, !b->sleeps);
	if (!allowed(b, node, thread) || mz_backtrack_covers(b, depth, thread)) return;
	if (!mz_trunk_reserve_name(b->trunk, depth, &name)) b->x->failed = true;
}

void mz_backtrack_reserve_all(struct mz_backtrack *b, uint32_t depth)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	for (uint32_t w = 0; w < node->words; w++) {
		uint64_t set = set_of(b, node, ENABLED)[w];
		for (; set; set &= set - 1) mz_backtrack_reserve(b, depth, 64 * w + (uint32_t)__builtin_ctzll(set));
	}
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

/* Adds the threads that a node holds in reserve, if something was refused there or below; and all threads, if an execution
 * got stuck below. */
static void call_up(struct mz_backtrack *b, uint32_t depth)
{
	struct mz_backtrack_node *node = &b->nodes[depth];
	if (!b->bounds || !node->refused || node->thread == MZ_NO_THREAD) return;
	if (node->stuck) mz_backtrack_add_all(b, depth);
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
	if (!node->refused) return;
	if (b->nnodes == mz_trunk_shared(b->trunk)) {
		if (b->trunk && !mz_trunk_refuse(b->trunk, b->nnodes)) b->x->failed = true;
		return;
	}
	b->nodes[b->nnodes - 1].refused = b->nodes[b->nnodes - 1].below = true;
	b->nodes[b->nnodes - 1].stuck |= node->stuck;
}

/* Puts the step that was being explored from a depth to sleep, unless something was refused below it and it is not
 * cheap, or it is to stay awake, or the program died in it, so that it is not known what it touches. */
static void put_to_sleep(struct mz_backtrack *b, uint32_t depth)
{
	if (!b->sleeps || depth >= b->x->depth) return;
	const struct mz_backtrack_node *node = &b->nodes[depth];
	if (node->below && !node->cheap) return;
	if (b->bounds && in_set(b, node, AWAKE, node->thread)) return;
	if (!mz_sleep_add(&b->sleep, &b->nodes[depth].asleep, mz_execution_event(b->x, depth))) b->x->failed = true;
}

/* Goes back to the deepest node from which something is left, not above the `least` first nodes. */
static void leave_nodes(struct mz_backtrack *b, size_t least)
{
	for (; b->nnodes > least; node_pop(b)) {
		uint32_t depth = (uint32_t)b->nnodes - 1;
		mz_backtrack_check_step(b, depth);
		call_up(b, depth);
		if (anything_left(b, &b->nodes[depth])) return;
		mz_backtrack_check_leave(b, depth);
	}
}

void mz_backtrack_end(struct mz_backtrack *b, bool cut)
{
	if (b->unnamed) tell_event(b);
	mz_backtrack_check_execution(b, cut && !b->gave_up);
}

void mz_backtrack_restart(struct mz_backtrack *b)
{
	b->nnodes = b->nwords = 0;
}

/* --- sharing ------------------------------------------------------------------------------------------------------ */

/* Returns whether a step of the thread went to sleep at the node when it was done. */
static bool went_to_sleep(const struct mz_backtrack *b, const struct mz_backtrack_node *node, uint32_t thread)
{
	for (size_t n = node->inherited; n < node->asleep.count; n++)
		if (mz_sleep_at(&b->sleep, &node->asleep, n)->thread == thread) return true;
	return false;
}

/* Puts what is done at a node into a graft: as what it did, where that sleeps; else only that it is done. The thread of
 * the step under way is there anyway if that step `leads_on`. Returns false when there is no memory. */
static bool graft_done(struct mz_backtrack *b, struct mz_trunk_graft *graft, const struct mz_backtrack_node *node,
                       bool leads_on)
{
	for (size_t n = node->inherited; n < node->asleep.count; n++) {
		if (!mz_trunk_add_done(b->trunk, graft, mz_sleep_at(&b->sleep, &node->asleep, n))) return false;
	}
	for (uint32_t thread = 0; thread < 64 * node->words; thread++) {
		if (!in_set(b, node, DONE, thread) || (leads_on && thread == node->thread)) continue;
		if (went_to_sleep(b, node, thread)) continue;
		const struct mz_event name = mz_trunk_name(thread, 0, !b->sleeps);
		if (!mz_trunk_add_done(b->trunk, graft, &name)) return false;
	}
	return true;
}

/* Puts the threads that a node holds in reserve into a graft; if something was refused there, they are explored. Returns
 * false when there is no memory. */
static bool graft_reserved(struct mz_backtrack *b, struct mz_trunk_graft *graft, uint32_t depth, bool refused)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	bool right = true;
	for (uint32_t thread = 0; b->bounds && thread < 64 * node->words && right; thread++) {
		if (!in_set(b, node, RESERVED, thread) || !allowed(b, node, thread)) continue;
		if (mz_backtrack_covers(b, depth, thread)) continue;
		const struct mz_event name = mz_trunk_name(thread, MZ_ANY_CHOICE, !b->sleeps);
		right = refused ? mz_trunk_add_branch(b->trunk, graft, &name) != NULL
		                : mz_trunk_add_reserved(b->trunk, graft, &name);
	}
	return right;
}

/* Puts what is still to be explored from a node into a graft. Returns false when there is no memory. */
static bool graft_open(struct mz_backtrack *b, struct mz_trunk_graft *graft, uint32_t depth, size_t refused)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	bool right = true;
	for (uint32_t n = next_alternative(b, node, node->nth + 1); n != MZ_NONE;
	     n = next_alternative(b, node, n + 1)) {
		const struct mz_event name =
		    mz_trunk_name(node->thread, mz_alternative(&node->alternatives, n), !b->sleeps);
		right &= mz_trunk_add_branch(b->trunk, graft, &name) != NULL;
	}
	for (uint32_t thread = 0; thread < 64 * node->words; thread++) {
		if (!in_set(b, node, WANTED, thread)) continue;
		const struct mz_event name = mz_trunk_name(thread, MZ_ANY_CHOICE, !b->sleeps);
		right &= mz_trunk_add_branch(b->trunk, graft, &name) != NULL;
	}
	return right && graft_reserved(b, graft, depth, depth < refused);
}

/* Puts a node into a graft; `refused` is the depth of the last node of the graft at which something was refused, plus 1.
 * Returns false when there is no memory. */
static bool graft_node(struct mz_backtrack *b, struct mz_trunk_graft *graft, size_t depth, size_t refused)
{
	const struct mz_backtrack_node *node = &b->nodes[depth];
	bool leads_on = depth + 1 < b->nnodes;
	if (!graft_done(b, graft, node, leads_on)) return false;
	if (!leads_on) return graft_open(b, graft, (uint32_t)depth, refused);
	const struct mz_event *event = mz_execution_event(b->x, (uint32_t)depth);
	const struct mz_event name = mz_trunk_name(event->thread, event->choice, true);
	struct mz_wakeup *step = mz_trunk_add_branch(b->trunk, graft, b->sleeps ? event : &name);
	if (!step) return false;
	step->cheap = node->cheap;
	step->refused = depth + 1 < refused;
	return graft_open(b, graft, (uint32_t)depth, refused) && mz_trunk_go_below(b->trunk, graft, step);
}

/* Returns the depth of the last node before `end`, and below the trunk, at which something was refused, plus 1; 0 if
 * there is none. The trunk may know more than this worker: it explores a leaf again that another one was lost with. */
static size_t last_refused(const struct mz_backtrack *b, size_t end)
{
	size_t shared = mz_trunk_shared(b->trunk);
	while (end > shared && !b->nodes[end - 1].refused) end--;
	if (end == shared && mz_trunk_is_refused(b->trunk, shared)) end++;
	return end > shared ? end : 0;
}

/* Puts the nodes from the end of the trunk to `end` - 1 into the trunk. What was explored below the last step that leads
 * on does not count yet. */
static void graft(struct mz_backtrack *b, size_t end)
{
	struct mz_trunk_graft graft;
	size_t refused = last_refused(b, end);
	bool goes_on = end < b->nnodes, right = !refused || mz_trunk_refuse(b->trunk, mz_trunk_shared(b->trunk));
	const struct mz_trunk_counts counts = goes_on ? b->history.counts[end] : mz_trunk_count(b->trunk);
	mz_trunk_begin_graft(b->trunk, &graft);
	for (size_t depth = mz_trunk_shared(b->trunk); depth < end && right; depth++)
		right = graft_node(b, &graft, depth, refused);
	if (right)
		mz_trunk_graft(b->trunk, &graft, goes_on, &counts);
	else
		b->x->failed = true;
}

/* Gives up a part of what this worker explores: the nodes down to the first with something left to explore. */
static void shed(struct mz_backtrack *b)
{
	size_t first = mz_trunk_shared(b->trunk);
	while (!anything_left(b, &b->nodes[first])) first++;
	graft(b, first + 1);
}

/* Forgets the nodes from that depth on. */
static void cut_back(struct mz_backtrack *b, size_t depth)
{
	b->nnodes = depth;
	b->nwords = depth ? b->nodes[depth - 1].first + words_of(b, b->nodes[depth - 1].words) : 0;
	if (depth && b->sleeps) mz_sleep_cut(&b->sleep, &b->nodes[depth - 1].asleep);
}

/* Goes on to another leaf of the trunk. Returns false if there is none. */
static bool next_leaf(struct mz_backtrack *b, uint32_t *depth)
{
	size_t common = 0;
	bool found = mz_trunk_next(b->trunk, &common);
	if (common > b->nnodes) common = b->nnodes; /* the execution did not get to the end of the path before */
	if (common > b->x->depth) common = b->x->depth;
	cut_back(b, common);
	*depth = (uint32_t)common;
	return found;
}

/* --- the next execution ------------------------------------------------------------------------------------------- */

/* Goes back to the deepest node from which something is left, and puts the step that was explored there to sleep.
 * Returns false if there is none, apart from the trunk. */
static bool go_back(struct mz_backtrack *b)
{
	size_t shared = mz_trunk_shared(b->trunk);
	leave_nodes(b, shared);
	if (b->nnodes <= shared) return false;
	cut_back(b, b->nnodes);
	put_to_sleep(b, (uint32_t)b->nnodes - 1);
	return true;
}

static bool find_next(struct mz_backtrack *b, uint32_t *depth)
{
	bool first = !b->started;
	b->started = true;
	if (first || !go_back(b)) {
		*depth = 0;
		return b->trunk ? next_leaf(b, depth) : first;
	}
	*depth = (uint32_t)b->nnodes - 1;
	if (!b->trunk || b->x->failed) return true;
	mz_trunk_roam_count(&b->trunk->roam);
	if (mz_trunk_is_to_move(b->trunk))
		graft(b, b->nnodes);
	else if (mz_trunk_is_to_graft(b->trunk))
		shed(b);
	return b->trunk->works || next_leaf(b, depth);
}

bool mz_backtrack_next(struct mz_backtrack *b, uint32_t *depth)
{
	b->gave_up = b->unnamed = false;
	bool found = find_next(b, depth);
	if (b->trunk) b->history.before = mz_trunk_count(b->trunk);
	return found;
}

void mz_backtrack_leave(struct mz_backtrack *b)
{
	if (!b->trunk || !b->trunk->works) return;
	if (!go_back(b))
		mz_trunk_leave(b->trunk);
	else if (!b->x->failed)
		graft(b, b->nnodes);
}
