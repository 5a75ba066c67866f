/* SPDX-License-Identifier: MIT
 *
 * optimal: every happens-before graph exactly once, and nothing else. Optimal DPOR with wakeup trees (Abdulla, Aronis,
 * Jonsson, Sagonas: Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction, JACM 64(4), 2017,
 * Algorithm 2), with locks that block, operations whose outcome depends on where they are, and choices.
 *
 * Each depth of the current execution has a node: a sleep set, and a wakeup tree of what is still to be explored there.
 * When an execution is over, each of its races (i, j) is reversed: the sequence in which j comes before i is inserted
 * into the wakeup tree of node i, unless something asleep there, or in the tree, covers it.
 *
 * What the paper does for all races of every execution, we do for what is new. As long as i and j stay, the sequence of
 * a race can only become longer, by events after j that do not happen after i. If something covered it for good, that
 * does not matter. But if it was covered by a *guess* (see sequence.h), a later event may prove that wrong. Races that
 * rest on a guess are kept in a list, and are tried again, with the sequence as long as it now is, as soon as an event
 * meets the footprint of the guess. (To take the sequence up to j only, and never look back, does miss graphs.) That j
 * commutes with what comes after it is a guess too, if j becomes a write where it is moved to.
 *
 * Choices: a thread with n alternatives is n events. Where a thread is picked freely all of its alternatives are put
 * into the tree, except for those that are asleep; a sequence names one. Accesses do not depend on the alternative, so
 * for any fixed assignment of choices this is the paper's algorithm.
 *
 * Orders (order.h) decide who is picked where anyone may be, at no cost. Branches of a tree are always explored as they
 * were inserted: a branch counts on those before it being asleep, and those after it awake. (To take them in another
 * order misses graphs: what is left to a branch that goes to sleep too early is explored by nobody.)
 *
 * Hosts (engine/host/) do not tell what a thread waits for if it is no lock, nor that a thread would have to wait. Then
 *   - a step that a tree demands may turn out not to be enabled. Its branch also stood for what may have been left to
 *     the branch on a guess. So when all other branches of the node are done, what is awake there is explored freely;
 *   - a thread that waits at the end may do anything: its operation conflicts with all that is known, and is only
 *     guessed (only_waited): where its turn comes it need not be enabled, or turns out to be asleep.
 * All executions below such a step may get stuck: futile() says so.
 *
 * Atomic sections are known by what they touched. One that is moved before something that it depends on may touch
 * anything: its event is guessed. What follows from that is in docs/internals/engine.md.
 *
 * Invariants: a step that a wakeup tree demands is enabled when its turn comes, and touches what the tree says; no
 * execution gets stuck because all enabled threads are asleep.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "engine/backtracking/guess.h"
#include "engine/backtracking/open_races.h"
#include "engine/backtracking/trunk_roam.h"
#include "engine/backtracking/wakeup.h"
#include "engine/reversal/race.h"
#include "engine/scheduling/alternatives.h"
#include "engine/scheduling/order.h"
#include "engine/scheduling/preference.h"
#include "engine/strategy.h"

struct optimal_node {
	struct mz_wakeup *tree; /* what is still to be explored from here, without the branch that is being explored */
	bool free;              /* nothing was demanded from here when the node was made */
	bool overslept;     /* the step that is being explored from here did not wake what it should have, see below */
	bool unfinished;    /* a branch turned out to be impossible: what it stood for is still to be explored */
	uint32_t inherited; /* how many of `asleep`, the first, slept when the node was made */
	struct mz_sleep_set asleep;
};

struct optimal {
	struct mz_execution *x;
	struct mz_ordering ordering;
	bool started;
	uint32_t fresh; /* the depth from which on the execution is new */
	struct optimal_node *nodes;
	size_t nnodes, nodes_capacity;
	struct mz_sleep sleep;
	struct mz_wakeups wakeups;
	struct mz_wakeup *taken; /* the branch that demands the step under way, or NULL */
	struct mz_wakeup *below; /* the tree below that branch, which becomes the tree of the next node */
	struct mz_reversal reversal;
	struct mz_sequence way; /* scratch */
	struct mz_open_races open;
	const struct mz_view *view; /* while races are reversed: at the end of the execution */
	bool (*are_possible)(const struct mz_decision *decisions, size_t count); /* see struct mz_view */
	bool untold;                                                             /* see mz_search_options */
	bool guesses; /* a thread has waited, and the host did not tell for what */
	/* depth of the first state in which something sleeps that a step which was only guessed should have woken, or
	 * MZ_NONE */
	uint32_t overslept;
	uint32_t unsure; /* depth of the first step that was taken although it may lead nowhere, see above */
	/* what is shared with other workers, or NULL: nodes above the end of its path have no tree of their own */
	struct mz_trunk_worker *trunk;
	struct mz_trunk_counts before;  /* what was explored before the execution under way, */
	struct mz_trunk_counts *counts; /* and, by depth, before the one in which the node was made; if it is free */
	size_t counts_capacity;
	const struct mz_wakeup *followed; /* the branch of the path that demands the step under way, or NULL */
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct optimal *o = self;
	o->x = x;
	mz_ordering_init(&o->ordering, options);
	o->untold = options->untold;
	o->unsure = o->overslept = MZ_NONE;
	o->trunk = options->trunk;
	if (o->trunk) o->trunk->several = !o->trunk->roam.find;
	return true;
}

static void release(void *self)
{
	struct optimal *o = self;
	mz_free(o->nodes);
	mz_open_races_release(&o->open);
	mz_free(o->counts);
	mz_sleep_release(&o->sleep);
	mz_wakeups_release(&o->wakeups);
	mz_reversal_release(&o->reversal);
	mz_sequence_release(&o->way);
}

/* --- going down ------------------------------------------------------------------------------------------------- */

/* Notes what was explored before the execution in which the next node is made. Returns false when there is no memory. */
static bool note_counts(struct optimal *o)
{
	if (!mz_array_reserve(&o->counts, &o->counts_capacity, o->nnodes + 1)) return false;
	o->counts[o->nnodes] = o->before;
	return true;
}

static struct optimal_node *node_push(struct optimal *o)
{
	if (!mz_array_reserve(&o->nodes, &o->nodes_capacity, o->nnodes + 1)) return NULL;
	struct optimal_node *node = &o->nodes[o->nnodes];
	node->unfinished = node->overslept = false;
	node->tree = o->below;
	node->free = !o->below;
	o->below = NULL;
	if (o->nnodes == 0) {
		node->asleep = mz_sleep_bottom(&o->sleep);
	} else {
		const struct mz_event *last = mz_execution_event(o->x, o->x->depth - 1);
		if (!mz_sleep_pass(&o->sleep, &node[-1].asleep, last, &node->asleep)) return NULL;
	}
	node->inherited = (uint32_t)node->asleep.count;
	if (o->trunk && node->free && !note_counts(o)) return NULL;
	o->nnodes++;
	return node;
}

/* Returns how many of the first nodes are in the trunk. */
static size_t shared_nodes(const struct optimal *o)
{
	return o->trunk ? o->trunk->path.length : 0;
}

/* Makes the next node of the path: the branches before that of the path sleep there. */
static struct optimal_node *shared_node_push(struct optimal *o)
{
	size_t depth = o->nnodes;
	struct optimal_node *node = node_push(o);
	if (!node) return NULL;
	const struct mz_wakeup *before = __atomic_load_n(mz_trunk_tree(o->trunk, depth), __ATOMIC_ACQUIRE);
	const struct mz_wakeup *taken = o->trunk->path.at[depth];
	/* the path is not there if the workers have begun anew, and this one has not noticed yet */
	for (; before && before != taken; before = __atomic_load_n(&before->next, __ATOMIC_ACQUIRE)) {
		/* what the program died in is done, and still a guess: it is not known what it did */
		if (before->dropped || before->event->guessed) continue;
		if (!mz_sleep_add(&o->sleep, &node->asleep, before->event)) return NULL;
	}
	return node;
}

/* Returns whether what the operation will touch is only guessed. */
static bool is_guessed(const struct optimal *o, const struct mz_event *event)
{
	return event->guessed || (o->untold && event->naccesses && event->accesses[0].only_waited);
}

static void become_unsure(struct optimal *o)
{
	if (o->unsure == MZ_NONE) o->unsure = o->x->depth;
}

/* Returns the step that the path demands. */
static struct mz_step followed_step(struct optimal *o)
{
	uint32_t depth = o->x->depth;
	if (depth == o->nnodes && !shared_node_push(o)) {
		o->x->failed = true;
		return (struct mz_step){MZ_NO_THREAD, 0};
	}
	o->followed = o->trunk->path.at[depth];
	if (is_guessed(o, o->followed->event)) become_unsure(o);
	return (struct mz_step){o->followed->event->thread, o->followed->event->choice};
}

static void forget_taken(struct optimal *o)
{
	if (o->taken) mz_wakeups_free(&o->wakeups, o->taken);
	o->taken = NULL;
}

/* Returns whether a step that a tree demands cannot be taken, because of something that the host did not tell. */
static bool is_impossible(const struct optimal *o, const struct optimal_node *node, const struct mz_view *view,
                          const struct mz_event *event)
{
	if (o->guesses && mz_sleep_has(&o->sleep, &node->asleep, event->thread, event->choice)) return true;
	if (!o->untold) return false;
	return event->thread < view->nthreads && view->pending[event->thread].status == MZ_THREAD_WAITING;
}

/* Takes the first branch of the tree that is possible, and returns its step; MZ_NO_THREAD if there is none. */
static struct mz_step demanded_step(struct optimal *o, struct optimal_node *node, const struct mz_view *view)
{
	while (node->tree) {
		o->taken = node->tree;
		o->below = o->taken->first;
		node->tree = o->taken->next;
		const struct mz_event *event = o->taken->event;
		if (!is_impossible(o, node, view, event)) {
#ifdef MZ_CHECKS /* only in test builds: in others the executor reports a program that cannot make the step */
			MZ_REQUIRE(o->untold || mz_enabled(view, event->thread));
			MZ_REQUIRE(o->untold || event->choice < view->pending[event->thread].alternatives);
#endif
			if (is_guessed(o, event)) become_unsure(o);
			return (struct mz_step){event->thread, event->choice};
		}
		mz_wakeups_free_tree(&o->wakeups, o->below);
		o->below = NULL;
		forget_taken(o);
		node->unfinished = o->guesses = true;
	}
	return (struct mz_step){MZ_NO_THREAD, 0};
}

/* Puts all other alternatives that are possible and awake into the tree: they come next. */
static bool add_alternatives(struct optimal *o, struct optimal_node *node, const struct mz_view *view, uint32_t thread,
                             uint32_t chosen)
{
	const struct mz_pending *pending = &view->pending[thread];
	if (pending->alternatives == 1) return true;
	const struct mz_alternatives alternatives = mz_alternatives_possible(view, thread);
	for (uint32_t n = 0; n < alternatives.count; n++) {
		uint32_t choice = mz_alternative(&alternatives, n);
		if (choice == chosen || mz_sleep_has(&o->sleep, &node->asleep, thread, choice)) continue;
		const struct mz_event event = {.thread = thread,
		                               .choice = choice,
		                               .alternatives = pending->alternatives,
		                               .op = pending->op,
		                               .naccesses = pending->naccesses,
		                               .accesses = pending->accesses,
		                               .condition = pending->decided ? pending->condition : 0};
		if (!mz_wakeups_append(&o->wakeups, &node->tree, &event)) return false;
	}
	return true;
}

/* Returns the first alternative of a thread that is awake, or MZ_NO_THREAD. */
static uint32_t first_awake(const struct optimal *o, const struct optimal_node *node, const struct mz_view *view,
                            uint32_t thread)
{
	return mz_sleep_awake(&o->sleep, &node->asleep, view, thread);
}

/* Returns whether the operation only reads, or waits for its object. */
static bool may_come_early(const struct mz_pending *pending)
{
	if (mz_class_waits(mz_op_class((enum mz_op)pending->op))) return true;
	for (unsigned n = 0; n < pending->naccesses; n++) {
		uint8_t kind = pending->accesses[n].kind;
		if (kind != MZ_READ && kind != MZ_WEAK_READ) return false;
	}
	return true;
}

/* Returns the thread that goes where any may: the current one, else the first that only reads or takes a lock, else the
 * last one. That way less has to be tried again, and trees are smaller, than if the first one came next. After a yield,
 * all threads get their turn. */
static uint32_t free_thread(struct optimal *o, const struct optimal_node *node, const struct mz_view *view)
{
	struct mz_preference preference = mz_preference_start(o->x, view);
	uint32_t thread, best = MZ_NO_THREAD;
	uint64_t best_rank = 0;
	bool asks = mz_ordering_asks(&o->ordering), yielded = preference.first != 0;
	if (asks) mz_ordering_begin(&o->ordering, o->x, view, view->current);
	while ((thread = mz_preference_next(&preference)) != MZ_NO_THREAD) {
		if (first_awake(o, node, view, thread) == MZ_NO_THREAD) continue;
		if (!asks) {
			best = thread;
			if (yielded || thread == view->current || may_come_early(&view->pending[thread])) return thread;
			continue;
		}
		uint64_t rank = mz_ordering_rank(&o->ordering, thread);
		if (best != MZ_NO_THREAD && rank >= best_rank) continue;
		best = thread;
		best_rank = rank;
	}
	return best;
}

static struct mz_step free_step(struct optimal *o, struct optimal_node *node, const struct mz_view *view)
{
	uint32_t thread = free_thread(o, node, view);
	if (thread == MZ_NO_THREAD) return (struct mz_step){MZ_NO_THREAD, 0};
	uint32_t choice = first_awake(o, node, view, thread);
	if (!add_alternatives(o, node, view, thread, choice)) o->x->failed = true;
	return (struct mz_step){thread, choice};
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct optimal *o = self;
	uint32_t depth = o->x->depth;
	o->are_possible = view->are_possible;
	if (depth < shared_nodes(o)) return followed_step(o);
	struct optimal_node *node = depth < o->nnodes ? &o->nodes[depth] : node_push(o);
	if (!node) {
		o->x->failed = true;
		return (struct mz_step){MZ_NO_THREAD, 0};
	}
	node->overslept = false;
	if (node->tree) {
		struct mz_step step = demanded_step(o, node, view);
		if (step.thread != MZ_NO_THREAD) return step;
	}
	if (node->unfinished) {
		become_unsure(o);
		node->unfinished = false;
	}
	return free_step(o, node, view);
}

static const struct mz_event *demanded(const void *self)
{
	const struct optimal *o = self;
	const struct mz_wakeup *branch = o->followed ? o->followed : o->taken;
	return branch && !is_guessed(o, branch->event) ? branch->event : NULL;
}

#ifdef MZ_CHECKS
static void check_taken(const struct optimal *o)
{
	const struct mz_event *did = mz_execution_event(o->x, o->x->depth - 1), *said = demanded(o);
	MZ_REQUIRE(did->thread == said->thread && did->choice == said->choice && did->op == said->op);
	MZ_REQUIRE(did->condition == said->condition);
	MZ_REQUIRE(did->naccesses == said->naccesses);
	for (unsigned n = 0; n < did->naccesses; n++) {
		MZ_REQUIRE(did->accesses[n].object == said->accesses[n].object);
		MZ_REQUIRE(did->accesses[n].mask == said->accesses[n].mask);
		MZ_REQUIRE(did->accesses[n].kind == said->accesses[n].kind);
	}
}
#endif

/* Drops branches of a node after a step that was only guessed has been made, see guess.h. Returns false when there is no
 * memory. */
static bool settle(struct optimal *o)
{
	const uint32_t depth = o->x->depth - 1;
	const struct mz_event *made = mz_execution_event(o->x, depth);
	const struct mz_view view = {.are_possible = o->are_possible};
	const struct mz_wakeup_origin origin = {.x = o->x, .depth = depth, .view = &view};
	if (depth < shared_nodes(o)) return mz_guess_tell(o->trunk, made, o->overslept == depth + 1, &o->way);
	o->nodes[depth].overslept = o->overslept == depth + 1;
	return mz_guess_settle(&o->wakeups, &o->nodes[depth].tree, made, &origin, &o->way);
}

/* Notes, after a step that was only guessed, whether something still sleeps that the step should have woken. That it
 * sleeps is right: all that begins with it was explored. But that only covers what begins with it, not, as elsewhere,
 * all that might as well: the sequence that led here does not wake it. */
static void look_for_sleepers(struct optimal *o)
{
	const struct mz_sleep_set *asleep = &o->nodes[o->x->depth - 1].asleep;
	const struct mz_event *made = mz_execution_event(o->x, o->x->depth - 1);
	for (size_t n = 0; n < asleep->count && o->overslept == MZ_NONE; n++)
		if (!mz_events_conflict(mz_sleep_at(&o->sleep, asleep, n), made)) o->overslept = o->x->depth;
}

static void observe(void *self)
{
	struct optimal *o = self;
#ifdef MZ_CHECKS
	if (demanded(o)) check_taken(o);
#endif
	const struct mz_wakeup *demanded = o->followed ? o->followed : o->taken;
	bool guessed = demanded && is_guessed(o, demanded->event);
	if (demanded && demanded->overslept) look_for_sleepers(o);
	if (demanded && !o->followed) o->nodes[o->x->depth - 1].overslept = o->overslept == o->x->depth;
	o->followed = NULL;
	forget_taken(o);
	if (!guessed) return;
	look_for_sleepers(o);
	if (!settle(o)) o->x->failed = true;
}

/* --- reversing races ---------------------------------------------------------------------------------------------- */

#ifdef MZ_CHECKS
/* Checks that a sequence that was inserted wakes everything that sleeps at the node: otherwise it could get stuck. */
static void check_insertion(const struct optimal *o, const struct mz_wakeup *tree, const struct mz_sleep_set *asleep)
{
	mz_wakeup_check(tree);
	for (size_t n = 0; n < asleep->count; n++) {
		const struct mz_event *sleeper = mz_sleep_at(&o->sleep, asleep, n);
		bool woken = sleeper->alternatives > 1;
		for (size_t k = 0; k < o->reversal.sequence.count && !woken; k++) {
			woken = mz_events_conflict(o->reversal.sequence.at[k].event, sleeper);
		}
		MZ_REQUIRE(woken);
	}
}
#endif

/* Returns whether a reversal is covered for good, as far as that can be seen quickly. If the first event of a race is
 * the latest that the second depends on, nothing in the sequence has to come before the second, which is an initial. So
 * the sequence is covered if that thread sleeps at the node. (What the second does must not depend on where it is
 * executed.) */
static bool is_covered(const struct optimal *o, const struct mz_race *race)
{
	if (race->second == MZ_NONE) return false;
	const struct mz_event_record *r = &o->x->records[race->second];
	if (r->after != race->first + 1 || r->event.alternatives > 1) return false;
	if (mz_op_class((enum mz_op)r->event.op) != MZ_CLASS_FIXED || r->event.op == MZ_OP_ATOMIC) return false;
	return mz_sleep_has(&o->sleep, &o->nodes[race->first].asleep, r->event.thread, r->event.choice);
}

static struct mz_wakeup_origin origin_at(const struct optimal *o, uint32_t depth)
{
	return (struct mz_wakeup_origin){.x = o->x, .depth = depth, .view = o->view, .initials = depth >= o->overslept};
}

/* Finds out, without the lock, whether a sequence is covered in the trunk. Sets `*known` if that could be found out. Returns
 * false when there is no memory. */
static bool look(struct optimal *o, struct mz_wakeup **tree, struct mz_wakeup_origin origin,
                 struct mz_wakeup_result *result, bool *known)
{
	*known = mz_trunk_begin_reading(o->trunk);
	if (!*known) return true;
	origin.looks = true;
	bool right = mz_wakeups_insert(&o->trunk->wakeups, tree, &o->sleep, &o->nodes[origin.depth].asleep,
	                               &o->reversal.sequence, &origin, result);
	mz_trunk_end_reading(o->trunk);
	return right;
}

/* Keeps the sequence until the worker has the lock of the trunk. */
static bool post(struct optimal *o, const struct mz_race *race, uint32_t end)
{
	const struct mz_posted_race posted = {race->first, race->second, end, o->reversal.moved.choice};
	return mz_trunk_post(&o->trunk->posts, o->trunk->path.at[race->first], &o->sleep, &o->nodes[race->first].asleep,
	                     &o->reversal.sequence, &posted);
}

/* Makes sure that everything that starts with the reversal will be explored from a node in the trunk, which is to the right of
 * this worker's own branch there: the branches before that are asleep, and to count them again would take two
 * alternatives of a thread for all of them, if one is there twice. Returns false when there is no memory. */
static bool insert_shared(struct optimal *o, const struct mz_race *race, uint32_t end, struct mz_wakeup_result *result)
{
	uint32_t depth = race->first;
	struct mz_wakeup **tree = &o->trunk->path.at[depth]->next;
	const struct mz_sleep_set *asleep = &o->nodes[depth].asleep;
	const struct mz_wakeup_origin origin = origin_at(o, depth);
	bool known;
	/* mostly it is covered, and that can be seen without the lock */
	if (!look(o, tree, origin, result, &known)) return false;
	if (known && result->covered) return true;
	if (known && o->trunk->collects && !origin.initials && !o->reversal.moved.guessed) return post(o, race, end);
	*result = (struct mz_wakeup_result){.covered = true};
	mz_trunk_lock(o->trunk);
	o->trunk->trunk->wanted = 0;
	bool right = o->trunk->outdated || mz_wakeups_insert(&o->trunk->wakeups, tree, &o->sleep, asleep,
	                                                     &o->reversal.sequence, &origin, result);
#ifdef MZ_CHECKS
	if (right && !result->covered && o->overslept == MZ_NONE) check_insertion(o, *tree, asleep);
#endif
	mz_trunk_unlock(o->trunk);
	return right;
}

/* Makes sure that everything that starts with the reversal will be explored from the node of the race. Returns false when
 * there is no memory. */
static bool insert(struct optimal *o, const struct mz_race *race, uint32_t end, struct mz_wakeup_result *result)
{
	uint32_t depth = race->first;
	if (depth < shared_nodes(o)) return insert_shared(o, race, end, result);
	struct optimal_node *node = &o->nodes[depth];
	const struct mz_wakeup_origin origin = origin_at(o, depth);
	bool right = mz_wakeups_insert(&o->wakeups, &node->tree, &o->sleep, &node->asleep, &o->reversal.sequence,
	                               &origin, result);
#ifdef MZ_CHECKS
	if (right && !result->covered && o->overslept == MZ_NONE) check_insertion(o, node->tree, &node->asleep);
#endif
	return right;
}

/* Inserts the reversal of a race in the first `end` events, with every alternative of the event that moves. Returns
 * false if there is none, or no memory. */
static bool reverse(struct optimal *o, const struct mz_race *race, uint32_t end, struct mz_wakeup_result *result)
{
	*result = (struct mz_wakeup_result){.covered = true};
	if (is_covered(o, race)) return true;
	if (!mz_reversal_make(&o->reversal, o->x, race, end)) return false;
	struct mz_event *moved = &o->reversal.moved;
	o->guesses |= moved->guessed;
	for (uint32_t choice = 0; choice < moved->alternatives; choice++) {
		struct mz_wakeup_result one;
		moved->choice = choice;
		if (!insert(o, race, end, &one)) {
			o->x->failed = true;
			return false;
		}
		result->covered &= one.covered;
		result->guessed |= one.guessed;
		result->guesses.read |= one.guesses.read;
		result->guesses.written |= one.guesses.written;
	}
	if (o->reversal.grown) {
		result->guessed = true;
		mz_footprint_add(&result->guesses, moved);
	}
	return true;
}

static bool reverse_new(struct optimal *o, uint32_t j)
{
	size_t count;
	const uint32_t *races = mz_execution_races(o->x, j, &count);
	for (size_t n = 0; n < count; n++) {
		struct mz_race race = {races[n], j, mz_execution_event(o->x, j)->thread, NULL};
		struct mz_wakeup_result result;
		if (!reverse(o, &race, o->untold && o->guesses ? o->x->depth : j + 1, &result)) return false;
		if (!result.guessed) continue;
		if (!mz_open_races_push(&o->open, race.first, j, j + 1, &result.guesses)) return false;
	}
	return true;
}

/* Reverses an open race again, because event k may refute its guess. */
static bool retry(struct optimal *o, size_t index, uint32_t k)
{
	const struct mz_open_race open = o->open.at[index];
	struct mz_race race = {open.first, open.second, mz_execution_event(o->x, open.second)->thread, NULL};
	struct mz_wakeup_result result;
	if (!reverse(o, &race, k + 1, &result)) return false;
	if (!open.late && result.guessed && mz_footprint_contains(&open.guesses, &result.guesses)) return true;
	o->open.at[index].refuted = k;
	return !result.guessed || mz_open_races_push(&o->open, race.first, race.second, k + 1, &result.guesses);
}

static bool retry_open(struct optimal *o, uint32_t k)
{
	struct mz_footprint footprint = {0};
	mz_footprint_add(&footprint, mz_execution_event(o->x, k));
	for (size_t n = 0, count = o->open.suspects.count; n < count; n++) {
		uint32_t index = o->open.suspects.at[n];
		if (mz_open_race_is_met(&o->open.at[index], o->x, k, &footprint) && !retry(o, index, k)) return false;
	}
	return true;
}

static bool reverse_executed(struct optimal *o)
{
	if (!mz_open_races_find_suspects(&o->open, o->x, o->fresh)) return false;
	for (uint32_t j = o->fresh; j < o->x->depth; j++) {
		if (o->open.suspects.count && !retry_open(o, j)) return false;
		if (!reverse_new(o, j)) return false;
	}
	return true;
}

/* Reverses the races of operations that were left pending, which could have come before what is in their way. Those
 * that are blocked always count. Those that a limit kept from being executed count too, or a loop that waits for them
 * would hide them for ever. */
static bool reverse_pending(struct optimal *o, const struct mz_view *view, bool cut)
{
	uint32_t end = o->x->depth;
	const uint32_t counts = 1U << MZ_THREAD_BLOCKED | 1U << MZ_THREAD_WAITING | (cut ? 1U << MZ_THREAD_ENABLED : 0);
	for (uint32_t t = 0; t < view->nthreads; t++) {
		const struct mz_pending *pending = &view->pending[t];
		if (!(counts >> pending->status & 1)) continue;
		bool waits = pending->status == MZ_THREAD_WAITING;
		o->guesses |= waits;
		size_t count;
		const uint32_t *races = waits ? mz_execution_possible_blockers(o->x, t, pending, &count, &end)
		                              : mz_execution_pending_races(o->x, t, pending, &count);
		for (size_t n = 0; n < count && !o->x->failed; n++) {
			struct mz_race race = {races[n], MZ_NONE, t, pending};
			struct mz_wakeup_result result;
			reverse(o, &race, waits ? end : o->x->depth, &result);
		}
		if (o->x->failed) return false;
	}
	return true;
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct optimal *o = self;
	forget_taken(o);
	mz_wakeups_free_tree(&o->wakeups, o->below);
	o->below = NULL;
	o->view = view;
	if (o->x->depth < shared_nodes(o)) return; /* inputs did not lead along the path: it has nothing new */
	if (!reverse_executed(o) || !reverse_pending(o, view, cut)) o->x->failed = true;
	if (o->trunk && !mz_trunk_posts_add_sequels(&o->trunk->posts, o->x, o->fresh, &o->reversal))
		o->x->failed = true;
}

/* --- going back --------------------------------------------------------------------------------------------------- */

/* Puts the step of the branch that was being explored, and is done, to sleep. Returns false when there is no memory. */
static bool put_to_sleep(struct optimal *o, uint32_t depth)
{
	if (depth >= o->x->depth) return true; /* the program died in that step: it is not known what it did */
	return mz_sleep_add(&o->sleep, &o->nodes[depth].asleep, mz_execution_event(o->x, depth));
}

static void forget_open(struct optimal *o, uint32_t depth)
{
	mz_open_races_forget(&o->open, depth);
	if (o->trunk) mz_trunk_posts_forget(&o->trunk->posts, depth);
}

/* Takes over races whose posts turned out to be covered by guesses, if the next execution still has them. */
static void open_late(struct optimal *o)
{
	struct mz_trunk_posts *posts = &o->trunk->posts;
	for (size_t n = 0; n < posts->nlate; n++) {
		const struct mz_posted_race *late = &posts->late[n];
		if (late->end > o->fresh) continue;
		if (!mz_open_races_insert(&o->open, late->first, late->second, late->end)) o->x->failed = true;
	}
	posts->nlate = 0;
	if (o->trunk->failed) o->x->failed = true;
}

/* Says that the next execution differs from the last one from that depth on. */
static void begin_at(struct optimal *o, size_t depth)
{
	o->fresh = (uint32_t)depth;
	forget_open(o, o->fresh);
	if (o->unsure != MZ_NONE && o->unsure >= o->fresh) o->unsure = MZ_NONE;
	if (o->overslept > o->fresh) o->overslept = MZ_NONE;
}

/* Puts the nodes `first` to `end` - 1 into a graft. If this worker keeps them for itself (`keeps`), others see them only
 * if it is lost. Returns false when there is no memory. */
static bool graft_nodes(struct optimal *o, struct mz_trunk_graft *graft, size_t first, size_t end, bool keeps)
{
	for (size_t depth = first; depth < end; depth++) {
		struct optimal_node *node = &o->nodes[depth];
		const struct mz_event *event = mz_execution_event(o->x, (uint32_t)depth);
		bool leads_on = depth + 1 < o->nnodes;
		for (size_t n = node->inherited; n < node->asleep.count; n++) {
			const struct mz_event *done = mz_sleep_at(&o->sleep, &node->asleep, n);
			if (!mz_trunk_add_done(o->trunk, graft, done)) return false;
		}
		if (leads_on ? !mz_trunk_add_step(o->trunk, graft, event, node->tree, keeps)
		             : !mz_trunk_add_open(o->trunk, graft, node->tree))
			return false;
		if (leads_on && node->overslept) {
			graft->end->overslept = true;
			mz_wakeups_touch(&o->trunk->wakeups, graft->end, sizeof *graft->end);
		}
		if (keeps) continue;
		mz_wakeups_free_tree(&o->wakeups, node->tree);
		node->tree = NULL;
	}
	return true;
}

/* Gives up a part of what this worker explores: puts the nodes down to the first with something left to explore into
 * the trunk. Those after it, down to the first that was free when it was made, it keeps; but whoever takes its place if it
 * is lost has to know them. */
static void shed(struct optimal *o)
{
	size_t first = shared_nodes(o), end = first;
	struct mz_trunk_graft graft;
	while (!o->nodes[end].tree) end++;
	end++;
	bool goes_on = end < o->nnodes;
	size_t free = end;
	while (free < o->nnodes && !o->nodes[free].free) free++;
	const struct mz_trunk_counts counts = free < o->nnodes ? o->counts[free] : mz_trunk_count(o->trunk);
	mz_trunk_begin_graft(o->trunk, &graft);
	if (graft_nodes(o, &graft, first, end, false) && graft_nodes(o, &graft, end, free, true))
		mz_trunk_graft(o->trunk, &graft, goes_on, &counts);
	else
		o->x->failed = true;
}

/* Goes on to another leaf of the trunk. Returns false if there is none. */
static bool next_leaf(struct optimal *o, uint32_t *depth)
{
	size_t common = 0;
	bool found = mz_trunk_next(o->trunk, &common);
	if (common > o->nnodes) common = o->nnodes; /* the execution did not get to the end of the path before */
	if (common > o->x->depth) common = o->x->depth;
	o->nnodes = common;
	if (common) mz_sleep_cut(&o->sleep, &o->nodes[common - 1].asleep);
	begin_at(o, common);
	open_late(o);
	*depth = o->fresh;
	return found;
}

/* Goes back to the deepest node with something left to explore. Returns false if there is none, apart from the trunk. */
static bool go_back(struct optimal *o)
{
	size_t shared = shared_nodes(o);
	while (o->nnodes > shared && !o->nodes[o->nnodes - 1].tree && !o->nodes[o->nnodes - 1].unfinished) o->nnodes--;
	if (o->nnodes <= shared) return false;
	begin_at(o, o->nnodes - 1);
	if (!put_to_sleep(o, o->fresh)) o->x->failed = true;
	return true;
}

/* Gives others what they wait for, if they do: leaves that this worker has not begun, or else a part of what it explores. */
static void contribute(struct optimal *o)
{
	struct mz_trunk_worker *trunk = o->trunk;
	bool asked = mz_trunk_is_to_graft(trunk);
	if (!asked && trunk->posts.nelements < MZ_POSTS_MOST) return;
	bool helped = mz_trunk_share(trunk);
	open_late(o);
	if (asked && (!helped || mz_trunk_is_impatient(trunk)) && !o->x->failed) shed(o);
}

/* Gives up all that is left to explore below the leaf. The search has gone back to the deepest node with something left. */
static void give_up(struct optimal *o)
{
	struct mz_trunk_graft graft;
	mz_trunk_share(o->trunk);
	mz_trunk_begin_graft(o->trunk, &graft);
	const struct mz_trunk_counts counts = mz_trunk_count(o->trunk);
	if (!o->x->failed && graft_nodes(o, &graft, shared_nodes(o), o->nnodes, false))
		mz_trunk_graft(o->trunk, &graft, false, &counts);
	else
		o->x->failed = true;
}

static bool find_next(struct optimal *o, uint32_t *depth)
{
	*depth = 0;
	if (!o->started) {
		o->started = true;
		return o->trunk ? next_leaf(o, depth) : true;
	}
	if (!go_back(o)) return o->trunk && next_leaf(o, depth);
	if (o->trunk && !o->x->failed) {
		mz_trunk_roam_count(&o->trunk->roam);
		if (mz_trunk_is_to_move(o->trunk))
			give_up(o);
		else
			contribute(o);
	}
	if (o->trunk && !o->trunk->works) return next_leaf(o, depth);
	*depth = o->fresh;
	return true;
}

static bool next(void *self, uint32_t *depth)
{
	struct optimal *o = self;
	bool found = find_next(o, depth);
	if (o->trunk) o->before = mz_trunk_count(o->trunk);
	return found;
}

/* Gives up everything that this worker explores. */
static void leave(void *self)
{
	struct optimal *o = self;
	if (!o->trunk || !o->trunk->works) return;
	if (go_back(o))
		give_up(o);
	else
		mz_trunk_leave(o->trunk);
}

static bool futile(void *self, bool stopped)
{
	return stopped && ((const struct optimal *)self)->unsure != MZ_NONE;
}

extern const struct mz_strategy mz_strategy_optimal_published;

const struct mz_strategy mz_strategy_optimal = {
    .name = "optimal",
    .published = &mz_strategy_optimal_published,
    .exact = true,
    .never_redundant = true,
    .shares = true,
    .delegates = true,
    .size = sizeof(struct optimal),
    .ordered = true,
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .leave = leave,
    .demanded = demanded,
    .futile = futile,
};
