/* SPDX-License-Identifier: MIT */
#include "referee.h"
#include <stdlib.h>
#include <string.h>

struct graph_event {
	struct graph_key name;
	uint32_t thread;
	unsigned naccesses;
	struct mz_access accesses[MACHINE_ACCESSES];
};

static void *checked(void *block)
{
	if (!block) abort();
	return block;
}

static uint64_t scramble(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL; /* splitmix64 */
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static void mix(struct graph_key *key, uint64_t word)
{
	key->a = scramble(key->a ^ word);
	key->b = scramble(key->b + 3 * word + 1);
}

static void sum(struct graph_key *key, struct graph_key other)
{
	key->a += scramble(other.a);
	key->b += scramble(other.b ^ 0x5555);
}

void graph_init(struct graph *graph, uint32_t nthreads)
{
	*graph = (struct graph){.nthreads = nthreads};
	graph->past = checked(calloc(nthreads, sizeof *graph->past));
}

void graph_clear(struct graph *graph)
{
	graph->count = 0;
	graph->key = (struct graph_key){0};
	memset(graph->past, 0, graph->nthreads * sizeof *graph->past);
}

void graph_copy(struct graph *to, const struct graph *from)
{
	*to = *from;
	to->capacity = from->count + 1;
	to->past = checked(malloc(from->nthreads * sizeof *to->past));
	to->events = checked(malloc(to->capacity * sizeof *to->events));
	memcpy(to->past, from->past, from->nthreads * sizeof *to->past);
	if (from->count) memcpy(to->events, from->events, from->count * sizeof *to->events);
}

void graph_release(struct graph *graph)
{
	free(graph->past);
	free(graph->events);
}

static bool depend(const struct graph_event *a, const struct graph_event *b)
{
	for (unsigned m = 0; m < a->naccesses; m++) {
		for (unsigned n = 0; n < b->naccesses; n++) {
			const struct mz_access *x = &a->accesses[m], *y = &b->accesses[n];
			if (x->object != y->object || !(x->mask & y->mask)) continue;
			bool weak = x->kind >= MZ_WEAK_READ && y->kind >= MZ_WEAK_READ;
			bool reads = (x->kind == MZ_READ || x->kind == MZ_WEAK_READ) &&
			             (y->kind == MZ_READ || y->kind == MZ_WEAK_READ);
			if (!weak && !reads) return true;
		}
	}
	return false;
}

void graph_event(struct graph *graph, const struct mz_event *event)
{
	if (graph->count == graph->capacity) {
		graph->capacity = graph->capacity ? 2 * graph->capacity : 16;
		graph->events = checked(realloc(graph->events, graph->capacity * sizeof *graph->events));
	}
	struct graph_event *new = &graph->events[graph->count];
	*new = (struct graph_event){.thread = event->thread, .naccesses = event->naccesses};
	mix(&new->name, (uint64_t)event->thread << 32 | event->choice);
	mix(&new->name, event->op);
	for (unsigned n = 0; n < event->naccesses; n++) {
		new->accesses[n] = event->accesses[n];
		mix(&new->name, event->accesses[n].object);
		mix(&new->name, (uint64_t)event->accesses[n].mask << 8 | event->accesses[n].kind);
	}
	struct graph_key past = graph->past[event->thread];
	for (size_t n = 0; n < graph->count; n++) {
		const struct graph_event *other = &graph->events[n];
		if (other->thread != new->thread && depend(other, new)) sum(&past, other->name);
	}
	mix(&new->name, past.a);
	mix(&new->name, past.b);
	graph->past[event->thread] = (struct graph_key){0};
	sum(&graph->past[event->thread], new->name);
	sum(&graph->key, new->name);
	graph->count++;
}

void graph_edge(struct graph *graph, struct machine_edge edge)
{
	struct graph_key from = graph->past[edge.before];
	if (from.a | from.b) sum(&graph->past[edge.after], from);
}

void graph_set_add(struct graph_set *set, struct graph_key key)
{
	if (set->count == set->capacity) {
		set->capacity = set->capacity ? 2 * set->capacity : 64;
		set->keys = checked(realloc(set->keys, set->capacity * sizeof *set->keys));
	}
	set->keys[set->count++] = key;
}

static int compare(const void *a, const void *b)
{
	const struct graph_key *x = a, *y = b;
	if (x->a != y->a) return x->a < y->a ? -1 : 1;
	return x->b == y->b ? 0 : x->b < y->b ? -1 : 1;
}

size_t graph_set_sort(struct graph_set *set)
{
	if (set->count == 0) return 0;
	qsort(set->keys, set->count, sizeof *set->keys, compare);
	size_t kept = 1;
	for (size_t n = 1; n < set->count; n++) {
		if (compare(&set->keys[n], &set->keys[kept - 1]) != 0) set->keys[kept++] = set->keys[n];
	}
	size_t repeated = set->count - kept;
	set->count = kept;
	return repeated;
}

bool graph_sets_equal(const struct graph_set *a, const struct graph_set *b)
{
	return a->count == b->count && (a->count == 0 || memcmp(a->keys, b->keys, a->count * sizeof *a->keys) == 0);
}

void graph_set_release(struct graph_set *set)
{
	free(set->keys);
	*set = (struct graph_set){0};
}

/* --- bounds --- */

#define MAX_THREADS 32

struct state {
	struct machine machine;
	struct graph graph;
	uint64_t ways[REFEREE_COSTS]; /* how many interleavings lead here, by what they cost */
	/* if there is a bound: */
	uint32_t last; /* who went last, or MZ_NO_THREAD */
	bool last_yielded;
	uint32_t yields[MAX_THREADS];
};

static bool is_enabled(const struct state *state, uint32_t thread)
{
	return thread != MZ_NO_THREAD && state->machine.pending[thread].status == MZ_THREAD_ENABLED;
}

/* Whether somebody may go who is enabled. */
static bool is_fair(const struct state *state, const struct referee_bound *bound, uint32_t thread)
{
	if (!bound->fair) return true;
	for (uint32_t u = 0; u < state->machine.script->nthreads; u++) {
		if (is_enabled(state, u) && state->yields[thread] > state->yields[u] + bound->yields) return false;
	}
	return true;
}

/* A preemption, if the thread that went last could go on. */
static unsigned preemptions(const struct state *state, const struct referee_bound *bound, uint32_t thread)
{
	return thread != state->last && is_enabled(state, state->last) && is_fair(state, bound, state->last);
}

/* The threads that come before it: from the one that went last on, or from the one after that if it yielded. */
static unsigned delays(const struct state *state, const struct referee_bound *bound, uint32_t thread)
{
	uint32_t n = state->machine.script->nthreads;
	uint32_t t = state->last == MZ_NO_THREAD ? 0 : (state->last + state->last_yielded) % n;
	unsigned passed = 0;
	for (; t != thread; t = (t + 1) % n) passed += is_enabled(state, t) && is_fair(state, bound, t);
	return passed;
}

/* What it costs that the thread goes; REFEREE_COSTS if it may not. */
static unsigned cost_of(const struct state *state, const struct referee_bound *bound, uint32_t thread)
{
	if (!is_fair(state, bound, thread)) return REFEREE_COSTS;
	if (bound->preemptions) return preemptions(state, bound, thread);
	if (bound->switches) return state->last != MZ_NO_THREAD && state->last != thread;
	return bound->delays ? delays(state, bound, thread) : 0;
}

/* --- enumeration --- */

struct layer {
	struct state *states;
	size_t count, capacity;
	size_t *places; /* open addressing: index + 1 */
	size_t nplaces;
};

static void state_release(struct state *state)
{
	machine_release(&state->machine);
	graph_release(&state->graph);
}

static void layer_release(struct layer *layer)
{
	for (size_t n = 0; n < layer->count; n++) state_release(&layer->states[n]);
	free(layer->states);
	free(layer->places);
	*layer = (struct layer){0};
}

static bool equal_states(const struct state *a, const struct state *b)
{
	return a->graph.key.a == b->graph.key.a && a->graph.key.b == b->graph.key.b && a->last == b->last;
}

static size_t *place_of(const struct layer *layer, const struct state *state)
{
	size_t i = (state->graph.key.a + state->last) & (layer->nplaces - 1);
	while (layer->places[i]) {
		if (equal_states(&layer->states[layer->places[i] - 1], state)) break;
		i = (i + 1) & (layer->nplaces - 1);
	}
	return &layer->places[i];
}

static void layer_grow(struct layer *layer)
{
	if (layer->count < layer->capacity) return;
	layer->capacity = layer->capacity ? 2 * layer->capacity : 32;
	layer->states = checked(realloc(layer->states, layer->capacity * sizeof *layer->states));
	free(layer->places);
	layer->nplaces = 2 * layer->capacity;
	layer->places = checked(calloc(layer->nplaces, sizeof *layer->places));
	for (size_t n = 0; n < layer->count; n++) *place_of(layer, &layer->states[n]) = n + 1;
}

/* Takes over the state, or releases it if it is there already. */
static void layer_add(struct layer *layer, struct state *state)
{
	layer_grow(layer);
	size_t *place = place_of(layer, state);
	if (*place) {
		uint64_t *ways = layer->states[*place - 1].ways;
		for (unsigned cost = 0; cost < REFEREE_COSTS; cost++) ways[cost] += state->ways[cost];
		state_release(state);
		return;
	}
	layer->states[layer->count++] = *state;
	*place = layer->count;
}

static void follow(const struct state *from, const struct referee_bound *bound, struct mz_step step, struct layer *next)
{
	struct state to = *from;
	struct mz_access accesses[MACHINE_ACCESSES];
	bool branches = from->machine.pending[step.thread].decided;
	unsigned cost = bound && !branches ? cost_of(from, bound, step.thread) : 0;
	bool any = false;
	for (unsigned c = 0; c < REFEREE_COSTS; c++) {
		to.ways[c] = c >= cost ? from->ways[c - cost] : 0;
		any |= to.ways[c] > 0;
	}
	if (!any) return;
	machine_copy(&to.machine, &from->machine);
	graph_copy(&to.graph, &from->graph);
	struct mz_event event = machine_step(&to.machine, step, accesses);
	graph_event(&to.graph, &event);
	for (size_t n = 0; n < to.machine.nedges; n++) graph_edge(&to.graph, to.machine.edges[n]);
	if (bound && !branches) {
		to.last = step.thread;
		to.last_yielded = event.op == MZ_OP_YIELD;
		to.yields[step.thread] += to.last_yielded;
	}
	layer_add(next, &to);
}

static void count_complete(const struct state *state, struct truth *truth)
{
	bool within = false;
	graph_set_add(&truth->graphs, state->graph.key);
	for (unsigned cost = 0; cost < REFEREE_COSTS; cost++) {
		truth->interleavings += state->ways[cost];
		for (unsigned more = cost; more < REFEREE_COSTS; more++)
			truth->interleavings_within[more] += state->ways[cost];
		within |= state->ways[cost] > 0;
		if (within) graph_set_add(&truth->within[cost], state->graph.key);
	}
}

/* A thread at a branch on inputs, or MZ_NO_THREAD. Within bounds a branch belongs to the step before it: it is made at once. */
static uint32_t branching(const struct machine *m)
{
	for (uint32_t t = 0; t < m->script->nthreads; t++)
		if (m->pending[t].status == MZ_THREAD_ENABLED && m->pending[t].decided) return t;
	return MZ_NO_THREAD;
}

static void expand(struct state *state, const struct referee_bound *bound, struct layer *next, struct truth *truth)
{
	struct machine *m = &state->machine;
	machine_look(m);
	truth->prefixes++;
	if (!machine_any_enabled(m)) {
		truth->deadlocks += !machine_all_done(m);
		count_complete(state, truth);
		return;
	}
	uint32_t only = bound ? branching(m) : MZ_NO_THREAD;
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		if (m->pending[t].status != MZ_THREAD_ENABLED || (only != MZ_NO_THREAD && t != only)) continue;
		for (uint32_t c = 0; c < m->pending[t].alternatives; c++)
			if (machine_is_possible(m, t, c)) follow(state, bound, (struct mz_step){t, c}, next);
	}
}

bool referee_enumerate_bounded(const struct script *script, uint64_t limit, const struct referee_bound *bound,
                               struct truth *truth)
{
	*truth = (struct truth){0};
	if (script->nthreads > MAX_THREADS) abort();
	struct layer layer = {0};
	struct state first = {.ways = {1}, .last = MZ_NO_THREAD};
	machine_init(&first.machine, script);
	graph_init(&first.graph, script->nthreads);
	for (size_t n = 0; n < first.machine.nedges; n++) graph_edge(&first.graph, first.machine.edges[n]);
	layer_add(&layer, &first);
	while (layer.count && truth->prefixes <= limit) {
		struct layer next = {0};
		for (size_t n = 0; n < layer.count && truth->prefixes <= limit; n++) {
			expand(&layer.states[n], bound, &next, truth);
		}
		layer_release(&layer);
		layer = next;
	}
	bool complete = layer.count == 0 && truth->prefixes <= limit;
	layer_release(&layer);
	graph_set_sort(&truth->graphs);
	for (unsigned cost = 0; cost < REFEREE_COSTS; cost++) graph_set_sort(&truth->within[cost]);
	return complete;
}

bool referee_enumerate(const struct script *script, uint64_t limit, struct truth *truth)
{
	return referee_enumerate_bounded(script, limit, NULL, truth);
}

void truth_release(struct truth *truth)
{
	graph_set_release(&truth->graphs);
	for (unsigned cost = 0; cost < REFEREE_COSTS; cost++) graph_set_release(&truth->within[cost]);
}
