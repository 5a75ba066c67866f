/* SPDX-License-Identifier: MIT
 *
 * optimal as published (--as-published): the engine of Frontrun (its page "DPOR: Dynamic Partial Order Reduction"), to
 * the letter. It is called optimal there, and is a hybrid of DPOR and of the wakeup trees of the source-sets paper:
 *
 *   - Happens-before is the order of each thread, of locks (a release before the next acquisition), of creations and
 *     joins. Accesses do not order each other, and the order in which threads get a lock is not looked at: it is never
 *     reversed.
 *   - A race is an access with, for each other thread and kind of access, the latest that conflicts and does not happen
 *     before it. For input and output, locks do not count: each thread has a second clock (io_vv there), without them.
 *     For each race (i, j) the thread of j is inserted at i by itself, and also the threads of all events in
 *     between that are neither of the thread of i nor in conflict with it, followed by that of j.
 *   - Wakeup trees are of threads. Insertion follows equal threads, and adds what is left as the last branch. The branch
 *     with the least thread is explored first.
 *   - A thread sleeps as long as nothing that is executed conflicts with anything that the thread did in the execution
 *     before.
 *   - Within a bound on preemptions, a thread that would cost one too many where it is wanted is inserted at the latest
 *     branch before, where it does not (add_conservative_backtrack).
 *
 * So it misses graphs: other orders of critical sections, and whatever had to be covered by weak initials, not by equal
 * threads. It runs some graphs more than once, and gives up executions in which all threads that could go sleep.
 *
 * What the page leaves open is decided here so that the search ends: nothing is inserted that begins with a thread that
 * sleeps or cannot go there; a thread that a tree asks for is passed over if it cannot go. If a race is of input or
 * output, a thread that cannot go there, since it waits for a lock, is inserted at the latest branch before where it
 * can. Threads with alternatives take the first.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "engine/execution/conflict.h"
#include "engine/scheduling/preference.h"
#include "engine/strategy.h"

/* A branch of a wakeup tree. Branches are known by their index, which is never 0. */
struct branch {
	uint32_t thread;
	uint32_t first; /* of the tree below it, or 0 */
	uint32_t next;  /* of the same node, or 0 */
};

enum { ENABLED = 1, ASLEEP = 2 };

struct published_node {
	uint32_t tree;        /* what is still to be explored from here */
	uint32_t active;      /* the thread that goes */
	uint32_t last;        /* the thread that went before, or MZ_NO_THREAD */
	uint32_t preemptions; /* on the way here */
	uint32_t nthreads;
	size_t flags; /* index in `flags` of those of thread 0 */
};

struct published_edge {
	uint32_t depth, before, after;
};

/* The clock that a lock was given back with. */
struct published_lock {
	uint64_t object;
	size_t clock; /* index in `locked` */
};

struct published {
	struct mz_execution *x;
	bool started;
	uint32_t bound; /* on preemptions; UINT32_MAX: there is none */
	uint64_t refused;
	struct published_node *nodes; /* by depth */
	size_t nnodes, nodes_capacity;
	uint8_t *flags; /* a stack: of each node's threads */
	size_t nflags, flags_capacity;
	struct branch *branches; /* the first one is not used */
	size_t nbranches, branches_capacity;
	uint32_t unused; /* a list of branches */
	uint32_t below;  /* the tree below the step under way */
	struct published_edge *edges;
	size_t nedges, edges_capacity;
	struct mz_access *did; /* what threads did in the execution before, one thread behind the other, */
	size_t ndid, did_capacity;
	size_t *ends; /* and where that ends, by thread */
	size_t nends, ends_capacity;
	/* while races are looked for: */
	uint32_t *clocks; /* of threads, `width` counts each; and behind them those for input and output */
	uint32_t width;
	size_t clocks_capacity;
	struct published_lock *locks;
	size_t nlocks, locks_capacity;
	uint32_t *locked;
	size_t nlocked, locked_capacity;
	uint8_t *met; /* by thread: which kinds of accesses were met, as bits */
	size_t met_capacity;
	uint32_t *sequence;
	size_t sequence_capacity;
};

static bool init(void *self, struct mz_execution *x, const struct mz_search_options *options)
{
	struct published *p = self;
	p->x = x;
	p->bound = options->bounded ? options->preemptions : UINT32_MAX;
	p->nbranches = 1;
	return mz_array_reserve(&p->branches, &p->branches_capacity, 1);
}

static void release(void *self)
{
	struct published *p = self;
	mz_free(p->nodes);
	mz_free(p->flags);
	mz_free(p->branches);
	mz_free(p->edges);
	mz_free(p->did);
	mz_free(p->ends);
	mz_free(p->clocks);
	mz_free(p->locks);
	mz_free(p->locked);
	mz_free(p->met);
	mz_free(p->sequence);
}

static bool fail(struct published *p)
{
	p->x->failed = true;
	return false;
}

/* ---- wakeup trees ---- */

static uint32_t branch_new(struct published *p, uint32_t thread)
{
	uint32_t new = p->unused;
	if (new)
		p->unused = p->branches[new].next;
	else if (mz_array_reserve(&p->branches, &p->branches_capacity, p->nbranches + 1))
		new = (uint32_t)p->nbranches++;
	else
		return fail(p);
	p->branches[new] = (struct branch){.thread = thread};
	return new;
}

/* Inserts threads into a tree: follows equal ones, and adds the rest as the last branch. */
static void insert(struct published *p, uint32_t node, const uint32_t *threads, size_t count)
{
	uint32_t above = 0; /* the branch whose tree it is; 0: the tree of the node */
	for (size_t n = 0; n < count; n++) {
		uint32_t at = above ? p->branches[above].first : p->nodes[node].tree, last = 0;
		while (at && p->branches[at].thread != threads[n]) {
			last = at;
			at = p->branches[at].next;
		}
		if (!at) {
			at = branch_new(p, threads[n]);
			if (!at) return;
			uint32_t *place = last    ? &p->branches[last].next
			                  : above ? &p->branches[above].first
			                          : &p->nodes[node].tree;
			*place = at;
		}
		above = at;
	}
}

static void free_tree(struct published *p, uint32_t tree)
{
	while (tree) { /* what is below a branch is put behind it, so that there is no recursion */
		struct branch *branch = &p->branches[tree];
		uint32_t next = branch->first ? branch->first : branch->next, last = branch->first;
		while (last && p->branches[last].next) last = p->branches[last].next;
		if (last) p->branches[last].next = branch->next;
		branch->next = p->unused;
		p->unused = tree;
		tree = next;
	}
}

/* ---- going down ---- */

static uint8_t *flags_of(const struct published *p, uint32_t node, uint32_t thread)
{
	return &p->flags[p->nodes[node].flags + thread];
}

static bool may_go(const struct published *p, uint32_t node, uint32_t thread)
{
	return thread < p->nodes[node].nthreads && *flags_of(p, node, thread) == ENABLED;
}

/* Returns how many preemptions it takes to let a thread go from a node. */
static uint32_t cost_of(const struct published *p, uint32_t node, uint32_t thread)
{
	uint32_t last = p->nodes[node].last;
	bool preempts = last < p->nodes[node].nthreads && last != thread && (*flags_of(p, node, last) & ENABLED);
	return p->nodes[node].preemptions + preempts;
}

/* Returns whether a thread may go from a node, is awake there, and within the bound. */
static bool is_allowed(const struct published *p, uint32_t node, uint32_t thread)
{
	return may_go(p, node, thread) && cost_of(p, node, thread) <= p->bound;
}

/* Takes the branch of the least thread that may go out of a node's tree. Returns that thread, with the tree below in
 * p->below; or MZ_NO_THREAD. */
static uint32_t take_least(struct published *p, uint32_t node)
{
	uint32_t least = 0, before = 0;
	for (uint32_t at = p->nodes[node].tree, last = 0; at; last = at, at = p->branches[at].next) {
		uint32_t thread = p->branches[at].thread;
		if (!is_allowed(p, node, thread) || (least && p->branches[least].thread <= thread)) continue;
		least = at;
		before = last;
	}
	if (!least) return MZ_NO_THREAD;
	*(before ? &p->branches[before].next : &p->nodes[node].tree) = p->branches[least].next;
	uint32_t thread = p->branches[least].thread;
	p->below = p->branches[least].first;
	p->branches[least] = (struct branch){.next = p->unused};
	p->unused = least;
	return thread;
}

static bool is_lock(const struct mz_event *event)
{
	return event->op == MZ_OP_LOCK || event->op == MZ_OP_UNLOCK || event->op == MZ_OP_TRYLOCK;
}

/* Returns whether an event conflicts with anything that a thread did in the execution before. */
static bool wakes(const struct published *p, const struct mz_event *event, uint32_t thread)
{
	if (is_lock(event) || thread >= p->nends) return false;
	for (size_t n = thread ? p->ends[thread - 1] : 0; n < p->ends[thread]; n++)
		for (unsigned a = 0; a < event->naccesses; a++)
			if (mz_accesses_conflict(&event->accesses[a], &p->did[n])) return true;
	return false;
}

/* Returns whether a thread that slept at the last node sleeps on after the step that was made there. */
static bool sleeps_on(const struct published *p, uint32_t thread)
{
	uint32_t last = p->x->depth - 1;
	const struct mz_event *event = mz_execution_event(p->x, last);
	if (thread >= p->nodes[last].nthreads || !(*flags_of(p, last, thread) & ASLEEP)) return false;
	return thread != event->thread && !wakes(p, event, thread);
}

static bool node_push(struct published *p, const struct mz_view *view)
{
	size_t n = view->nthreads;
	if (!mz_array_reserve(&p->nodes, &p->nodes_capacity, p->nnodes + 1) ||
	    !mz_array_reserve(&p->flags, &p->flags_capacity, p->nflags + n))
		return fail(p);
	struct published_node *node = &p->nodes[p->nnodes];
	*node = (struct published_node){
	    .tree = p->below, .nthreads = view->nthreads, .flags = p->nflags, .last = MZ_NO_THREAD};
	if (p->nnodes) {
		node->last = mz_execution_event(p->x, p->x->depth - 1)->thread;
		node->preemptions = cost_of(p, (uint32_t)p->nnodes - 1, node->last);
	}
	p->below = 0;
	for (uint32_t t = 0; t < n; t++)
		p->flags[p->nflags++] =
		    (uint8_t)((mz_enabled(view, t) ? ENABLED : 0) | (p->nnodes && sleeps_on(p, t) ? ASLEEP : 0));
	p->nnodes++;
	return true;
}

/* Returns the thread that went last if it may go on, or else the first that may. */
static uint32_t preferred(const struct published *p, uint32_t node, const struct mz_view *view)
{
	if (is_allowed(p, node, view->current)) return view->current;
	for (uint32_t t = 0; t < view->nthreads; t++)
		if (is_allowed(p, node, t)) return t;
	return MZ_NO_THREAD;
}

static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct published *p = self;
	uint32_t depth = p->x->depth;
	if (depth == p->nnodes) {
		if (!node_push(p, view)) return (struct mz_step){MZ_NO_THREAD, 0};
		struct published_node *node = &p->nodes[depth];
		node->active = take_least(p, depth);
		if (node->active == MZ_NO_THREAD) node->active = preferred(p, depth, view);
	}
	return (struct mz_step){p->nodes[depth].active, 0};
}

static void order(void *self, uint32_t before, uint32_t after)
{
	struct published *p = self;
	if (!mz_array_reserve(&p->edges, &p->edges_capacity, p->nedges + 1))
		p->x->failed = true;
	else
		p->edges[p->nedges++] = (struct published_edge){p->x->depth, before, after};
}

/* ---- happens-before ---- */

static uint32_t *clock_of(const struct published *p, uint32_t thread)
{
	return p->clocks + (size_t)thread * p->width;
}

/* Returns the thread's clock that knows nothing of locks. */
static uint32_t *io_clock_of(const struct published *p, uint32_t thread)
{
	return clock_of(p, p->width + thread);
}

static void join(const struct published *p, uint32_t *clock, const uint32_t *with)
{
	for (uint32_t t = 0; t < p->width; t++)
		if (clock[t] < with[t]) clock[t] = with[t];
}

/* Returns the lock's clock; makes one if the lock is new. NULL when there is no memory. */
static uint32_t *lock_clock(struct published *p, uint64_t object)
{
	size_t n = 0;
	while (n < p->nlocks && p->locks[n].object != object) n++;
	if (n == p->nlocks) {
		if (!mz_array_reserve(&p->locks, &p->locks_capacity, n + 1) ||
		    !mz_array_reserve(&p->locked, &p->locked_capacity, p->nlocked + p->width)) {
			fail(p);
			return NULL;
		}
		p->locks[p->nlocks++] = (struct published_lock){object, p->nlocked};
		for (uint32_t t = 0; t < p->width; t++) p->locked[p->nlocked++] = 0;
	}
	return p->locked + p->locks[n].clock;
}

/* Updates the clocks for an event that uses a lock. */
static void pass_lock(struct published *p, const struct mz_event *event)
{
	uint32_t *lock = lock_clock(p, event->accesses[0].object), *own = clock_of(p, event->thread);
	if (!lock) return;
	if (event->op != MZ_OP_UNLOCK)
		join(p, own, lock);
	else
		for (uint32_t t = 0; t < p->width; t++) lock[t] = own[t];
}

static void pass_edges(const struct published *p, uint32_t depth, size_t *next)
{
	for (; *next < p->nedges && p->edges[*next].depth <= depth; ++*next) {
		const struct published_edge *edge = &p->edges[*next];
		if (edge->before >= p->width || edge->after >= p->width) continue;
		join(p, clock_of(p, edge->after), clock_of(p, edge->before));
		join(p, io_clock_of(p, edge->after), io_clock_of(p, edge->before));
	}
}

static bool start_clocks(struct published *p)
{
	p->width = (uint32_t)p->x->nthreads;
	p->nlocks = p->nlocked = 0;
	size_t count = 2 * (size_t)p->width * p->width;
	if (!mz_array_reserve(&p->clocks, &p->clocks_capacity, count) ||
	    !mz_array_reserve(&p->met, &p->met_capacity, p->width) ||
	    !mz_array_reserve(&p->sequence, &p->sequence_capacity, p->x->depth + 1UL))
		return fail(p);
	for (size_t n = 0; n < count; n++) p->clocks[n] = 0;
	return true;
}

/* ---- races ---- */

/* Inserts a thread that cannot go from a node, or not within the bound, at the latest one before where it can. */
static void move_back(struct published *p, uint32_t node, uint32_t thread)
{
	while (node-- > 0) {
		if (thread == p->nodes[node].active || !is_allowed(p, node, thread)) continue;
		insert(p, node, &thread, 1);
		return;
	}
}

/* Inserts threads at a node, unless the first of them sleeps or cannot go there. */
static void ask_for(struct published *p, uint32_t node, const uint32_t *threads, size_t count)
{
	if (!may_go(p, node, threads[0]) || threads[0] == p->nodes[node].active) return;
	if (is_allowed(p, node, threads[0]))
		insert(p, node, threads, count);
	else {
		p->refused++;
		move_back(p, node, threads[0]);
	}
}

static void reverse(struct published *p, uint32_t i, uint32_t j)
{
	const struct mz_event *first = mz_execution_event(p->x, i);
	size_t count = 0;
	for (uint32_t k = i + 1; k < j; k++) {
		const struct mz_event *event = mz_execution_event(p->x, k);
		bool apart = is_lock(event) || !mz_events_conflict(first, event);
		if (event->thread != first->thread && apart) p->sequence[count++] = event->thread;
	}
	p->sequence[count++] = mz_execution_event(p->x, j)->thread;
	ask_for(p, i, &p->sequence[count - 1], 1);
	ask_for(p, i, p->sequence, count);
}

/* Returns the kinds of the accesses of an event that conflict with an access, as bits. */
static uint8_t kinds_met(const struct mz_event *event, const struct mz_access *access)
{
	uint8_t kinds = 0;
	for (unsigned a = 0; a < event->naccesses; a++)
		if (mz_accesses_conflict(&event->accesses[a], access)) kinds |= (uint8_t)(1 << event->accesses[a].kind);
	return kinds;
}

/* Returns whether a thread that is there cannot go from a node. */
static bool waits_at(const struct published *p, uint32_t node, uint32_t thread)
{
	return thread < p->nodes[node].nthreads && !(*flags_of(p, node, thread) & ENABLED);
}

/* Reverses the races of one access of event j. */
static void look_back(struct published *p, uint32_t j, const struct mz_access *access)
{
	uint32_t thread = mz_execution_event(p->x, j)->thread;
	for (uint32_t t = 0; t < p->width; t++) p->met[t] = 0;
	for (uint32_t i = j; i-- > 0 && !p->x->failed;) {
		const struct mz_event_record *r = &p->x->records[i];
		uint8_t kinds = is_lock(&r->event) || r->event.thread == thread ? 0 : kinds_met(&r->event, access);
		if (!(kinds & ~p->met[r->event.thread])) continue;
		p->met[r->event.thread] |= kinds;
		const uint32_t *clock = access->is_io ? io_clock_of(p, thread) : clock_of(p, thread);
		if (clock[r->event.thread] >= r->position) continue;
		reverse(p, i, j);
		if (access->is_io && waits_at(p, i, thread)) move_back(p, i, thread);
	}
}

static void find_races(struct published *p)
{
	size_t next = 0;
	if (!start_clocks(p)) return;
	for (uint32_t j = 0; j < p->x->depth && !p->x->failed; j++) {
		const struct mz_event_record *r = &p->x->records[j];
		pass_edges(p, j, &next);
		clock_of(p, r->event.thread)[r->event.thread] = r->position;
		io_clock_of(p, r->event.thread)[r->event.thread] = r->position;
		if (is_lock(&r->event)) {
			pass_lock(p, &r->event);
			continue;
		}
		for (unsigned a = 0; a < r->event.naccesses; a++) look_back(p, j, &r->event.accesses[a]);
	}
}

/* Notes what each thread did. */
static void note_accesses(struct published *p)
{
	size_t most = p->x->objects.naccesses, threads = p->x->nthreads;
	p->ndid = p->nends = 0;
	if (!mz_array_reserve(&p->did, &p->did_capacity, most) ||
	    !mz_array_reserve(&p->ends, &p->ends_capacity, threads)) {
		fail(p);
		return;
	}
	for (uint32_t t = 0; t < threads; t++) {
		for (uint32_t n = 0; n < p->x->depth; n++) {
			const struct mz_event *event = mz_execution_event(p->x, n);
			if (event->thread != t || is_lock(event)) continue;
			for (unsigned a = 0; a < event->naccesses; a++) p->did[p->ndid++] = event->accesses[a];
		}
		p->ends[p->nends++] = p->ndid;
	}
}

static void end(void *self, const struct mz_view *view, bool cut)
{
	struct published *p = self;
	(void)view;
	(void)cut;
	free_tree(p, p->below);
	p->below = 0;
	find_races(p);
	if (!p->x->failed) note_accesses(p);
}

/* ---- going back ---- */

static bool next(void *self, uint32_t *depth)
{
	struct published *p = self;
	*depth = 0;
	if (!p->started) return p->started = true;
	for (; p->nnodes; p->nnodes--) {
		uint32_t top = (uint32_t)p->nnodes - 1;
		struct published_node *node = &p->nodes[top];
		if (node->active != MZ_NO_THREAD) *flags_of(p, top, node->active) |= ASLEEP;
		node->active = take_least(p, top);
		if (node->active != MZ_NO_THREAD) {
			*depth = top;
			while (p->nedges && p->edges[p->nedges - 1].depth > top) p->nedges--;
			return true;
		}
		free_tree(p, node->tree);
		p->nflags = node->flags;
	}
	return false;
}

static uint64_t refused(const void *self)
{
	return ((const struct published *)self)->refused;
}

static bool may_miss(unsigned bounds, bool sleeps)
{
	(void)bounds;
	(void)sleeps;
	return true;
}

const struct mz_strategy mz_strategy_optimal_published = {
    .name = "optimal",
    .no_inputs = true,
    .size = sizeof(struct published),
    .ordered = true,
    .bounds = MZ_BOUND_PREEMPTIONS,
    .may_miss = may_miss,
    .init = init,
    .release = release,
    .choose = choose,
    .next = next,
    .end = end,
    .order = order,
    .refused = refused,
};
