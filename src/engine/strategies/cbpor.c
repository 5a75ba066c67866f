/* SPDX-License-Identifier: MIT
 *
 * cbpor: every trace that can be had with at most so many preemptions, exactly once (Musuvathi, Qadeer: Partial-Order
 * Reduction for Context-Bounded State Exploration, MSR-TR-2007-12). Without a bound, every trace exactly once.
 *
 * A state is a happens-before graph. A step is *within* the bound if some execution that leads to its state, and then
 * takes it, is (context.h). A trace within the bound can be reached by such steps only, although one that is within may
 * have prefixes that are not.
 *
 * Algorithm 2: a graph is *closed* when all traces within the bound that continue it have been executed. A complete
 * execution is closed, and so is a graph all of whose steps within the bound lead to closed ones: this is found by
 * going back from a complete execution through the prefixes of its graph, without running the program. An execution
 * never takes a step to a closed graph, so it never has to be given up. Algorithm 1 (options.prefixes) just remembers
 * the graphs that it has been in: each is visited once, and executions end where nothing new is left.
 *
 * Hosts (engine/host/) do not tell what a thread is about to do. What a graph costs depends on it: a thread that would have
 * to wait for a lock is not preempted. So before anything is judged in a state, a thread there of which nobody knows
 * what it does next makes one step, and the execution is given up: a *probe*. The first choice in a new state needs no
 * judging: to go on, or after somebody who cannot, costs nothing. A thread that ever waited for what nobody told is not
 * taken to be preempted unless it is known to be enabled: so more than what is within the bound may be explored. That
 * it may have to wait may turn out after graphs were judged as if it had not; then the search starts over with what is
 * known, and executions that were made before count for nothing.
 *
 * Several workers share which graphs are closed, by keys that are the same in every process (cuts.h), and nothing else: each
 * goes its own way from the first state on, tries threads in another order than the others, and takes no step to a graph
 * that any of them has closed. A worker tells others what an execution has closed when that is over. If two workers close the last
 * two successors of a graph at the same time, neither of them may notice that the graph is closed with that: then whoever comes
 * there next finds nothing left to explore, and closes it. The first state is closed when all is explored,
 * whoever did it. Two workers may go the same way at the same time: then the execution that ends later is redundant, and so is one
 * that comes to a state from which everything has been closed meanwhile. (What an atomic section does is known only to
 * workers that have made it: where it leads is closed to those alone.)
 *
 * A limit on the steps of an execution makes it complete where it ends.
 *
 * The execution itself need not be within the bound, only one that is equivalent. cheapen() finds that: what is shown
 * of a bug is to keep the promise.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "engine/backtracking/trunk.h"
#include "engine/graphs/context.h"
#include "engine/scheduling/preference.h"
#include "engine/strategy.h"

enum { CLOSED = 0x10, EXECUTED = 0x20 }; /* bits of notes[0] on a graph */

struct cbpor_node {
	uint32_t preferred; /* the thread that is tried first */
	uint32_t turn;      /* of several workers: the thread that is tried after that */
	uint32_t tried;     /* how many threads have been looked at: the preferred one, then the others by number */
	uint32_t choice;    /* the next alternative to be tried of the thread that is being looked at */
	uint32_t nthreads;
	size_t first; /* index in `alternatives` of the entry of thread 0 */
};

struct cbpor {
	struct mz_execution *x;
	struct mz_context context;
	bool bounded;
	bool prefixes; /* Algorithm 1 of the paper instead of 2 (--prefixes) */
	uint32_t bound;
	size_t more_memory;
	bool started;
	bool stuck;    /* the execution was given up */
	bool has_step; /* there is a step to be taken at the last node: `step` */
	struct mz_step step;
	struct cbpor_node *nodes; /* by depth */
	size_t nnodes, nodes_capacity;
	/* stack: by node and thread, how many alternatives the thread has; 0 if it is not enabled */
	uint32_t *alternatives;
	size_t nalternatives, alternatives_capacity;
	uint32_t *cut; /* scratch: the cut of the depth that is being looked at */
	size_t cut_capacity;
	/* a stack of graphs that were closed and whose predecessors may be closed too: their hashes, and in `rows`
	 * their cuts */
	uint64_t *hashes;
	uint32_t *rows;
	size_t nclosed, hashes_capacity, rows_capacity;
	struct mz_step *order; /* scratch */
	size_t order_capacity;
	uint64_t refused;              /* how many steps the bound refused */
	bool untold;                   /* see mz_search_options */
	bool probing;                  /* the step under way, or that was made last, is a probe */
	bool again;                    /* after a probe: the last node is to be looked at again */
	bool repeats;                  /* the search has started over */
	struct mz_trunk_worker *trunk; /* NULL: nobody else explores */
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct cbpor *c = self;
	c->x = x;
	/* more preemptions than that cannot be counted */
	c->bounded = options->bounded && options->preemptions < MZ_CONTEXT_MOST;
	c->bound = options->preemptions;
	c->prefixes = options->prefixes;
	c->untold = options->untold;
	c->more_memory = options->more_memory;
	mz_context_init(&c->context, x, options->max_memory);
	c->trunk = options->trunk;
	c->context.cuts.pasts.keyed = c->trunk != NULL;
	return !c->trunk || c->trunk->tell_closed;
}

static void release(void *self)
{
	struct cbpor *c = self;
	mz_context_release(&c->context);
	mz_free(c->nodes);
	mz_free(c->alternatives);
	mz_free(c->cut);
	mz_free(c->hashes);
	mz_free(c->rows);
	mz_free(c->order);
}

static bool failed(const struct cbpor *c)
{
	return c->x->failed;
}

static bool is_closed(const struct cbpor *c, uint32_t prefix)
{
	return prefix != MZ_NO_PREFIX && (mz_prefixes_notes(&c->context.prefixes, prefix)[0] & CLOSED);
}

/* ---- what workers share ---- */

static bool is_key_closed(const struct cbpor *c, struct mz_key graph)
{
	return c->trunk->is_closed(c->trunk->self, graph);
}

static bool is_graph_closed(struct cbpor *c, const struct mz_cut *cut)
{
	if (is_closed(c, mz_context_find(&c->context, cut))) return true;
	return c->trunk && is_key_closed(c, mz_cut_key(&c->context.cuts, cut));
}

/* Returns whether the thread's next step leads from the graph of the cut to a closed one. */
static bool is_next_closed(struct cbpor *c, const struct mz_cut *cut, uint32_t thread, uint32_t choice)
{
	struct mz_key keys[MZ_NEXT_KEYS];
	if (is_closed(c, mz_context_find_next(&c->context, cut, thread, choice))) return true;
	size_t count = c->trunk ? mz_cut_next_keys(&c->context.cuts, cut, thread, choice, keys) : 0;
	for (size_t n = 0; n < count; n++)
		if (is_key_closed(c, keys[n])) return true;
	return false;
}

/* Tells others what this worker has closed since the last execution: all at once, because what others see of it in between looks
 * like something to explore. */
static void tell_closed(struct cbpor *c)
{
	c->trunk->refused |= c->refused > 0;
	if (!c->trunk->tell_closed(c->trunk->self)) c->x->failed = true;
}

static bool is_repeated(void *self)
{
	const struct cbpor *c = self;
	return c->trunk && is_key_closed(c, mz_cuts_whole_key(&c->context.cuts));
}

static bool is_within(struct cbpor *c, const struct mz_cut *cut, uint32_t thread)
{
	if (!c->bounded || mz_context_is_within(&c->context, cut, thread, c->bound)) return true;
	c->refused++;
	return false;
}

/* ---- closing graphs ---- */

static void close_graph(struct cbpor *c, const struct mz_cut *cut)
{
	uint32_t prefix = mz_context_add(&c->context, cut);
	if (prefix == MZ_NO_PREFIX) return;
	mz_prefixes_notes(&c->context.prefixes, prefix)[0] |= CLOSED;
	if (c->trunk && !c->trunk->close(c->trunk->self, mz_cut_key(&c->context.cuts, cut))) c->x->failed = true;
}

static void note_executed(struct cbpor *c, const struct mz_cut *cut)
{
	uint32_t prefix = mz_context_find(&c->context, cut);
	if (prefix != MZ_NO_PREFIX) mz_prefixes_notes(&c->context.prefixes, prefix)[0] |= EXECUTED;
}

static bool push_closed(struct cbpor *c, const struct mz_cut *cut)
{
	size_t width = c->context.cuts.width, n = c->nclosed;
	if (!mz_array_reserve(&c->hashes, &c->hashes_capacity, n + 1) ||
	    !mz_array_reserve(&c->rows, &c->rows_capacity, (n + 1) * width)) {
		c->x->failed = true;
		return false;
	}
	c->hashes[n] = cut->hash;
	for (size_t t = 0; t < width; t++) c->rows[n * width + t] = cut->at[t];
	c->nclosed++;
	return true;
}

/* Returns whether all steps within the bound lead from the graph of the cut to closed graphs. */
static bool leads_to_closed(struct cbpor *c, const struct mz_cut *cut)
{
	for (uint32_t t = 0; t < c->context.cuts.width; t++) {
		uint32_t alternatives = mz_cut_alternatives(&c->context.cuts, cut, t, true);
		if (alternatives == 0 || !is_within(c, cut, t)) continue;
		for (uint32_t choice = 0; choice < alternatives; choice++) {
			if (!is_next_closed(c, cut, t, choice)) return false;
		}
	}
	return true;
}

#ifdef MZ_CHECKS
/* The conditions that the paper proves Algorithm 2 by, checked at run time: SR where an execution goes on, MR where a graph
 * is closed, and MI, when closing is done, for the states that the execution has passed through. Not for hosts that do
 * not tell what threads are about to do, and not for long executions, because of the time. */
static bool is_checked(const struct cbpor *c)
{
	return !c->untold && !c->prefixes && !c->trunk && c->x->depth < 40 && !failed(c);
}

/* Returns whether CB(s) is within the bound: whether some last step leads to the state within it. */
static bool is_state_within(struct cbpor *c, struct mz_cut *cut)
{
	bool within = !c->bounded || mz_cut_is_empty(&c->context.cuts, cut);
	for (uint32_t t = 0; t < c->context.cuts.width && !within; t++) {
		uint32_t last = cut->at[t];
		if (mz_cut_floor(&c->context.cuts, cut, t) >= last) continue;
		struct mz_cut before = *cut;
		mz_cut_remove_from(&c->context.cuts, &before, t, last - 1);
		within = mz_context_is_within(&c->context, &before, t, c->bound);
		cut->at[t] = last;
	}
	return within;
}

/* Returns whether no thread can go on from the state, which needs no closed successor to be closed. */
static bool is_terminal(struct cbpor *c, const struct mz_cut *cut)
{
	for (uint32_t t = 0; t < c->context.cuts.width; t++)
		if (mz_cut_alternatives(&c->context.cuts, cut, t, true)) return false;
	return true;
}

/* SR: Search is called for states within the bound that are not closed. */
static void check_search(struct cbpor *c, struct mz_cut *cut)
{
	if (!is_checked(c)) return;
	MZ_REQUIRE(failed(c) || !is_closed(c, mz_context_find(&c->context, cut)));
	MZ_REQUIRE(is_state_within(c, cut) || failed(c));
}

/* MRa and MRb: Mark is called for states within the bound that are not closed, and whose steps all lead to closed ones. */
static void check_mark(struct cbpor *c, struct mz_cut *cut, bool complete)
{
	uint64_t refused = c->refused;
	check_search(c, cut);
	if (is_checked(c) && !complete) MZ_REQUIRE(leads_to_closed(c, cut) || failed(c));
	c->refused = refused;
}

/* MIa and MIb of a state that is closed, MIc of one that is not. */
static void check_state(struct cbpor *c, struct mz_cut *cut)
{
	bool closed = is_closed(c, mz_context_find(&c->context, cut)), within = is_state_within(c, cut);
	bool leads = leads_to_closed(c, cut), terminal = is_terminal(c, cut);
	MZ_REQUIRE(failed(c) || (closed ? within && leads : terminal || !within || !leads));
}

/* Checks MI for the states that the execution, which is over, has passed through, but for its last one. */
static void check_invariants(struct cbpor *c, struct mz_cut *cut)
{
	uint64_t refused = c->refused;
	mz_cut_whole(&c->context.cuts, cut);
	for (uint32_t depth = c->x->depth; depth > 0 && is_checked(c); depth--) {
		const struct mz_event_record *r = &c->x->records[depth - 1];
		mz_cut_remove_from(&c->context.cuts, cut, r->event.thread, r->position - 1);
		check_state(c, cut);
	}
	c->refused = refused;
}
#else
static void check_search(struct cbpor *c, struct mz_cut *cut)
{
	(void)c, (void)cut;
}

static void check_mark(struct cbpor *c, struct mz_cut *cut, bool complete)
{
	(void)c, (void)cut, (void)complete;
}

static void check_invariants(struct cbpor *c, struct mz_cut *cut)
{
	(void)c, (void)cut;
}
#endif

/* Closes the graphs one step before that of the cut, which is closed, where all their other steps lead to closed ones
 * too. */
static void close_before(struct cbpor *c, struct mz_cut *cut)
{
	for (uint32_t t = 0; t < c->context.cuts.width && !failed(c); t++) {
		uint32_t last = cut->at[t];
		if (mz_cut_floor(&c->context.cuts, cut, t) >= last) continue;
		struct mz_cut before = *cut;
		mz_cut_remove_from(&c->context.cuts, &before, t, last - 1);
		if (is_within(c, &before, t) && !is_graph_closed(c, &before) && leads_to_closed(c, &before)) {
			check_mark(c, &before, false);
			close_graph(c, &before);
			if (!push_closed(c, &before)) return;
		}
		cut->at[t] = last;
	}
}

/* Closes the graph of a complete execution, and all before it that this closes. */
static void close_all(struct cbpor *c, struct mz_cut *cut)
{
	size_t width = c->context.cuts.width;
	check_mark(c, cut, true);
	close_graph(c, cut);
	if (failed(c) || !push_closed(c, cut)) return;
	while (c->nclosed && !failed(c)) {
		c->nclosed--;
		cut->hash = c->hashes[c->nclosed];
		for (size_t t = 0; t < width; t++) cut->at[t] = c->rows[c->nclosed * width + t];
		close_before(c, cut);
	}
	if (!failed(c)) check_invariants(c, cut);
}

/* ---- going down ---- */

static void look(struct cbpor *c, const struct mz_view *view)
{
	mz_context_set_view(&c->context, view);
	if (!mz_array_reserve(&c->cut, &c->cut_capacity, c->context.cuts.width)) c->x->failed = true;
}

#ifdef MZ_CHECKS
static void check_inference(struct cbpor *c, const struct mz_cut *cut, const struct mz_view *view)
{
	for (uint32_t t = 0; t < view->nthreads; t++) {
		const struct mz_pending *pending = &view->pending[t];
		uint32_t alternatives = pending->status == MZ_THREAD_ENABLED ? pending->alternatives : 0;
		MZ_REQUIRE(mz_cut_alternatives(&c->context.cuts, cut, t, false) == alternatives);
	}
}
#endif

/* Returns the thread that is tried first in a state. All workers but the first go another way from time to time, and wherever
 * the current thread cannot go on, so that they do not meet. */
static uint32_t prefer(const struct cbpor *c, const struct mz_view *view)
{
	struct mz_preference preference = mz_preference_start(c->x, view);
	uint32_t preferred = mz_preference_next(&preference), other;
	if (!c->trunk || !c->trunk->number) return preferred;
	uint64_t whim = mz_hash2(c->trunk->number, c->x->depth);
	bool varies = whim % 4 == 0 || !mz_enabled(view, view->current);
	for (uint64_t skip = varies ? whim / 4 % view->nthreads : 0; skip; skip--) {
		if ((other = mz_preference_next(&preference)) == MZ_NO_THREAD) break;
		preferred = other;
	}
	return preferred;
}

static struct cbpor_node *node_push(struct cbpor *c, const struct mz_view *view)
{
	size_t n = view->nthreads;
	if (!mz_array_reserve(&c->nodes, &c->nodes_capacity, c->nnodes + 1) ||
	    !mz_array_reserve(&c->alternatives, &c->alternatives_capacity, c->nalternatives + n)) {
		c->x->failed = true;
		return NULL;
	}
	struct cbpor_node *node = &c->nodes[c->nnodes++];
	*node = (struct cbpor_node){.preferred = prefer(c, view),
	                            .turn = c->trunk ? c->trunk->number : 0,
	                            .nthreads = view->nthreads,
	                            .first = c->nalternatives};
	for (uint32_t t = 0; t < n; t++)
		c->alternatives[c->nalternatives++] = mz_enabled(view, t) ? view->pending[t].alternatives : 0;
	return node;
}

/* Returns the thread that is tried n-th at a node: the preferred one, then the others by number, from `turn` on. */
static uint32_t nth_thread(const struct cbpor_node *node, uint32_t n)
{
	if (n == 0) return node->preferred;
	uint32_t other = (n - 1 + node->turn) % (node->nthreads - 1);
	return other < node->preferred ? other : other + 1;
}

/* Finds the next step at a node, whose state is the cut, that leads to a graph that is not closed. Returns false if
 * none is left. */
static bool find_step(struct cbpor *c, struct cbpor_node *node, const struct mz_cut *cut, struct mz_step *step)
{
	for (; node->tried < node->nthreads && !failed(c); node->tried++, node->choice = 0) {
		uint32_t t = nth_thread(node, node->tried), alternatives = c->alternatives[node->first + t];
		if (node->choice >= alternatives || !is_within(c, cut, t)) continue;
		while (node->choice < alternatives) {
			*step = (struct mz_step){t, node->choice++};
			if (!is_next_closed(c, cut, t, step->choice)) return true;
		}
	}
	return false;
}

/* Returns whether the preferred thread can go without a look at its cost, because it causes no preemption. */
static bool costs_nothing(const struct cbpor_node *node, const struct mz_view *view)
{
	return node->tried == 0 && (node->preferred == view->current || !mz_enabled(view, view->current));
}

/* Returns a thread that has to make a probe before anything is judged in this state, or MZ_NO_THREAD. */
static uint32_t find_unseen(const struct cbpor *c, const struct mz_view *view)
{
	if (!c->untold || !c->bounded) return MZ_NO_THREAD;
	for (uint32_t t = 0; t < view->nthreads; t++)
		if (mz_cuts_unseen(&c->context.cuts, t)) return t;
	return MZ_NO_THREAD;
}

/* Does what find_step() does, in a state that a host may not have told enough about. */
static bool find_or_probe(struct cbpor *c, struct cbpor_node *node, const struct mz_view *view,
                          const struct mz_cut *cut, struct mz_step *step)
{
	if (c->untold && c->bounded && costs_nothing(node, view)) {
		*step = (struct mz_step){node->preferred, 0};
		node->tried = 1;
		if (!is_closed(c, mz_context_find_next(&c->context, cut, step->thread, 0))) return true;
	}
	uint32_t unseen = find_unseen(c, view);
	if (unseen == MZ_NO_THREAD) return find_step(c, node, cut, step);
	*step = (struct mz_step){unseen, 0};
	return c->probing = true;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct cbpor *c = self;
	struct mz_step step = {MZ_NO_THREAD, 0};
	if (c->has_step) {
		c->has_step = false;
		return c->step;
	}
	if (c->probing) return step;
	look(c, view);
	struct cbpor_node *node = c->again ? &c->nodes[c->nnodes - 1] : NULL;
	if (!node && !failed(c)) node = node_push(c, view);
	c->again = false;
	if (!node || node->preferred == MZ_NO_THREAD) return step;
	struct mz_cut cut = {0, c->cut};
	mz_cut_whole(&c->context.cuts, &cut);
#ifdef MZ_CHECKS
	check_inference(c, &cut, view);
#endif
	check_search(c, &cut);
	if (c->prefixes) close_graph(c, &cut);
	c->stuck = failed(c) || !find_or_probe(c, node, view, &cut, &step);
	return c->stuck ? (struct mz_step){MZ_NO_THREAD, 0} : step;
}

static void observe(void *self)
{
	struct cbpor *c = self;
	mz_context_observe(&c->context);
}

/* ---- going back ---- */

/* Finds the deepest node with a step that leads to a graph that is not closed. The cut is the whole execution. A node
 * without such a step is closed. Where threads tell what they wait for, close_before() has closed its graph already.
 * Elsewhere this is the only way to learn it: a thread that waits there might have gone on for all that close_before()
 * knows. (Otherwise all interleavings of what others do meanwhile would be tried, each in vain.) So it is if other workers
 * have closed what follows. */
static void find_node(struct cbpor *c, struct mz_cut *cut)
{
	for (uint32_t depth = c->x->depth; !failed(c); depth--) {
		if (depth < c->nnodes) {
			struct cbpor_node *node = &c->nodes[depth];
			c->has_step = find_step(c, node, cut, &c->step);
			bool closes = c->trunk ? !is_graph_closed(c, cut) : c->context.cuts.waited && !c->prefixes;
			if (!c->has_step && closes) close_graph(c, cut);
			c->nnodes = depth + c->has_step;
			c->nalternatives = node->first + (c->has_step ? node->nthreads : 0);
		}
		if (c->has_step || depth == 0) return;
		const struct mz_event_record *r = &c->x->records[depth - 1];
		mz_cut_remove_from(&c->context.cuts, cut, r->event.thread, r->position - 1);
	}
}

static void end(void *self, const struct mz_view *view, bool was_cut)
{
	struct cbpor *c = self;
	(void)was_cut;
	c->has_step = false;
	look(c, view);
	c->again = c->probing;
	c->probing = false;
	if (failed(c) || c->again) return;
	struct mz_cut cut = {0, c->cut};
	mz_cut_whole(&c->context.cuts, &cut);
	bool complete = !c->stuck && c->nnodes <= c->x->depth;
	if (c->trunk && c->trunk->outdated) return;
	if (c->context.prefixes.max_bytes) c->context.prefixes.max_bytes += c->more_memory;
	if (complete && c->prefixes)
		close_graph(c, &cut);
	else if (complete && !is_graph_closed(c, &cut))
		close_all(c, &cut);
	c->stuck = false;
	if (failed(c)) return;
	mz_cut_whole(&c->context.cuts, &cut);
	if (complete) note_executed(c, &cut);
	mz_cut_whole(&c->context.cuts, &cut);
	find_node(c, &cut);
	if (c->trunk && !failed(c)) tell_closed(c);
}

/* Starts the search over: forgets which graphs are closed, and with `costs` also what they cost, because that was found
 * out from assumptions that turned out to be wrong. */
static void start_over(struct cbpor *c, bool costs)
{
	c->has_step = c->stuck = c->probing = c->again = false;
	c->nnodes = c->nalternatives = c->nclosed = 0;
	for (uint32_t n = 0; n < c->context.prefixes.count; n++) {
		uint8_t *notes = mz_prefixes_notes(&c->context.prefixes, n);
		notes[0] &= (uint8_t)~CLOSED;
		for (uint32_t t = 0; t < c->context.prefixes.width && costs; t++) notes[1 + t] = 0;
	}
}

static bool next(void *self, uint32_t *depth)
{
	struct cbpor *c = self;
	*depth = 0;
	if (!c->started) return c->started = true;
	bool over = !c->has_step && !c->again;
	if (over && c->untold && c->bounded && mz_pasts_take_news(&c->context.cuts.pasts)) {
		start_over(c, true);
		return c->repeats = true;
	}
	if (c->trunk && c->trunk->outdated) return false;
	if (over && c->trunk) mz_trunk_conclude(c->trunk);
	*depth = c->has_step || c->again ? (uint32_t)c->nnodes - 1 : 0;
	return c->has_step || c->again;
}

/* Whoever takes the lock of what is shared tells the others what was closed. */
static void leave(void *self)
{
	const struct cbpor *c = self;
	if (!c->trunk) return;
	mz_trunk_lock(c->trunk);
	mz_trunk_unlock(c->trunk);
}

/* May ask about cuts, because the execution has ended, and end() has set what the threads would do after it. */
static void cheapen(void *self, struct mz_step *steps, uint32_t n)
{
	struct cbpor *c = self;
	if (!c->bounded) return;
	if (!mz_array_reserve(&c->order, &c->order_capacity, n)) return;
	struct mz_cut cut = {0, c->cut};
	mz_cut_whole(&c->context.cuts, &cut);
	for (uint32_t depth = c->x->depth; depth > n; depth--) {
		const struct mz_event_record *r = &c->x->records[depth - 1];
		mz_cut_remove_from(&c->context.cuts, &cut, r->event.thread, r->position - 1);
	}
	if (!mz_context_order(&c->context, &cut, steps[n - 1].thread, c->order, n)) return;
	for (uint32_t i = 0; i < n; i++) steps[i] = c->order[i];
}

/* Keeps what graphs cost, which does not depend on the bound, and forgets which are closed, which does. */
static void raise_bound(void *self, uint32_t preemptions)
{
	struct cbpor *c = self;
	c->bound = preemptions;
	c->started = c->repeats = false;
	c->refused = 0;
	start_over(c, false);
	for (uint32_t n = 0; n < c->context.prefixes.count; n++)
		mz_prefixes_notes(&c->context.prefixes, n)[0] &= (uint8_t)~EXECUTED;
}

/* Returns whether the execution, which is over, was made already before the search started over. */
static bool was_made(struct cbpor *c)
{
	if (!c->repeats || c->context.cuts.width != c->context.prefixes.width || failed(c)) return false;
	struct mz_cut cut = {0, c->cut};
	mz_cut_whole(&c->context.cuts, &cut);
	uint32_t graph = mz_context_find(&c->context, &cut);
	return graph != MZ_NO_PREFIX && (mz_prefixes_notes(&c->context.prefixes, graph)[0] & EXECUTED);
}

static bool futile(void *self, bool stopped)
{
	struct cbpor *c = self;
	return c->probing || (stopped ? c->context.cuts.waited : was_made(c));
}

static uint64_t refused(const void *self)
{
	return ((const struct cbpor *)self)->refused;
}

static struct mz_search_memory memory(const void *self)
{
	const struct cbpor *c = self;
	return (struct mz_search_memory){.graphs = c->context.prefixes.count,
	                                 .bytes = mz_context_bytes(&c->context),
	                                 .full = c->context.prefixes.full};
}

const struct mz_strategy mz_strategy_cbpor = {
    .name = "cbpor",
    .no_inputs = true,
    .size = sizeof(struct cbpor),
    .ordered = true,
    .exact = true,
    .serves = true,
    .shares = true,
    .bounds_shared = MZ_BOUND_PREEMPTIONS,
    .shares_graphs = true,
    .bounds = MZ_BOUND_PREEMPTIONS,
    .init = init,
    .release = release,
    .choose = choose,
    .observe = observe,
    .end = end,
    .next = next,
    .leave = leave,
    .raise = raise_bound,
    .cheapen = cheapen,
    .refused = refused,
    .futile = futile,
    .is_repeated = is_repeated,
    .memory = memory,
};
