/* SPDX-License-Identifier: MIT
 *
 * Graphs, and how many preemptions they need: against all interleavings of random scripts. And what cbpor is made of:
 * numbers for events with their pasts, and the table of graphs.
 */
#include "engine/graphs/context.h"
#include "build.h"
#include "generate.h"
#include "harness.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_INTERLEAVINGS 3000
#define MAX_STEPS 40 /* of an interleaving: what spins may have more */
#define SCRIPTS 400

/* ---- by brute force: an interleaving that ends with the last step of each graph, and what it cost ---- */

struct arrival {
	struct graph_key key;
	uint32_t last; /* who went last */
	uint32_t cost;
};

struct arrivals {
	struct arrival *at;
	size_t count, capacity;
	uint64_t interleavings;
};

static int compare(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;
	if (x->key.a != y->key.a) return x->key.a < y->key.a ? -1 : 1;
	if (x->key.b != y->key.b) return x->key.b < y->key.b ? -1 : 1;
	if (x->last != y->last) return x->last < y->last ? -1 : 1;
	return x->cost == y->cost ? 0 : x->cost < y->cost ? -1 : 1;
}

static void note(struct arrivals *all, struct arrival arrival)
{
	if (all->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 1024;
		all->at = realloc(all->at, all->capacity * sizeof *all->at);
		assert_non_null(all->at);
	}
	all->at[all->count++] = arrival;
}

static void enumerate(struct arrivals *all, struct machine *m, struct graph *graph, uint32_t last, uint32_t cost)
{
	machine_look(m);
	bool can_go_on = last != MZ_NO_THREAD && m->pending[last].status == MZ_THREAD_ENABLED;
	if (last != MZ_NO_THREAD) note(all, (struct arrival){graph->key, last, cost});
	all->interleavings += !machine_any_enabled(m);
	if (graph->count >= MAX_STEPS) all->interleavings = MAX_INTERLEAVINGS;
	for (uint32_t t = 0; t < m->script->nthreads && all->interleavings < MAX_INTERLEAVINGS; t++) {
		if (m->pending[t].status != MZ_THREAD_ENABLED) continue;
		for (uint32_t choice = 0; choice < m->pending[t].alternatives; choice++) {
			struct machine next;
			struct graph then;
			struct mz_access accesses[8];
			machine_copy(&next, m);
			graph_copy(&then, graph);
			struct mz_event event = machine_step(&next, (struct mz_step){t, choice}, accesses);
			graph_event(&then, &event);
			for (size_t n = 0; n < next.nedges; n++) graph_edge(&then, next.edges[n]);
			enumerate(all, &next, &then, t, cost + (can_go_on && t != last));
			machine_release(&next);
			graph_release(&then);
		}
	}
}

/* Keeps the cheapest of each graph and last thread. */
static void reduce(struct arrivals *all)
{
	size_t kept = 0;
	qsort(all->at, all->count, sizeof *all->at, compare);
	for (size_t n = 0; n < all->count; n++) {
		struct arrival *last = kept ? &all->at[kept - 1] : NULL;
		bool same = last && memcmp(&last->key, &all->at[n].key, sizeof last->key) == 0;
		if (!same || last->last != all->at[n].last) all->at[kept++] = all->at[n];
	}
	all->count = kept;
}

/* The least cost of a graph, and then a step by `thread`. */
static uint32_t truth_of(const struct arrivals *all, struct graph_key key, const struct machine *m, uint32_t thread)
{
	uint32_t least = UINT32_MAX;
	for (size_t n = 0; n < all->count; n++) {
		const struct arrival *a = &all->at[n];
		if (memcmp(&a->key, &key, sizeof key) != 0) continue;
		bool preempts = a->last != thread && m->pending[a->last].status == MZ_THREAD_ENABLED;
		if (a->cost + preempts < least) least = a->cost + preempts;
	}
	return least;
}

/* ---- the engine's, along executions ---- */

static void check_state(struct mz_context *context, struct machine *m, const struct arrivals *all,
                        const struct graph *graph)
{
	uint32_t at[16];
	struct mz_cut cut = {0, at};
	machine_look(m);
	mz_context_set_view(context, &m->view);
	mz_cut_whole(&context->cuts, &cut);
	for (uint32_t t = 0; t < m->script->nthreads; t++) {
		bool enabled = m->pending[t].status == MZ_THREAD_ENABLED;
		assert_int_equal(mz_cut_alternatives(&context->cuts, &cut, t, false),
		                 enabled ? m->pending[t].alternatives : 0);
		if (!enabled) continue;
		uint32_t cost = cut.hash ? truth_of(all, graph->key, m, t) : 0;
		assert_in_range(mz_cut_preemptions(&context->cuts, &cut, t), 0, cost);
		for (uint32_t bound = 0; bound < cost + 2; bound++)
			assert_int_equal(mz_context_is_within(context, &cut, t, bound), cost <= bound);
	}
}

static uint32_t least_of(const struct arrivals *all, struct graph_key key, uint32_t last)
{
	for (size_t n = 0; n < all->count; n++)
		if (all->at[n].last == last && memcmp(&all->at[n].key, &key, sizeof key) == 0) return all->at[n].cost;
	return UINT32_MAX;
}

/* Executes steps: the graph that they have, and what they cost. */
static uint32_t execute(const struct script *script, const struct mz_step *steps, uint32_t count, struct graph *graph)
{
	struct machine m;
	struct mz_access accesses[8];
	uint32_t cost = 0;
	machine_init(&m, script);
	for (uint32_t n = 0; n < count; n++) {
		uint32_t t = steps[n].thread;
		machine_look(&m);
		assert_int_equal(m.pending[t].status, MZ_THREAD_ENABLED);
		cost += n && steps[n - 1].thread != t && m.pending[steps[n - 1].thread].status == MZ_THREAD_ENABLED;
		struct mz_event event = machine_step(&m, steps[n], accesses);
		graph_event(graph, &event);
		for (size_t e = 0; e < m.nedges; e++) graph_edge(graph, m.edges[e]);
	}
	machine_release(&m);
	return cost;
}

/* The execution so far, whose last step was by `last`, in an order that costs least. */
static void check_order(struct mz_context *context, const struct script *script, const struct arrivals *all,
                        struct graph_key key, uint32_t last)
{
	uint32_t at[16], depth = context->cuts.x->depth;
	struct mz_cut cut = {0, at};
	struct mz_step steps[MAX_STEPS];
	struct graph graph;
	mz_cut_whole(&context->cuts, &cut);
	assert_true(mz_context_order(context, &cut, last, steps, depth));
	assert_int_equal(steps[depth - 1].thread, last);
	graph_init(&graph, script->nthreads);
	assert_int_equal(execute(script, steps, depth, &graph), least_of(all, key, last));
	assert_memory_equal(&graph.key, &key, sizeof key);
	graph_release(&graph);
}

static void walk(struct mz_execution *x, struct mz_context *context, const struct script *script,
                 const struct arrivals *all, uint64_t *random)
{
	struct machine m;
	struct graph graph;
	struct mz_access accesses[8];
	mz_execution_rewind(x, 0);
	machine_init(&m, script);
	graph_init(&graph, script->nthreads);
	for (check_state(context, &m, all, &graph); machine_any_enabled(&m); check_state(context, &m, all, &graph)) {
		uint32_t t;
		do {
			*random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
			t = (uint32_t)(*random >> 33) % script->nthreads;
		} while (m.pending[t].status != MZ_THREAD_ENABLED);
		struct mz_step step = {t, (uint32_t)(*random >> 20) % m.pending[t].alternatives};
		struct mz_event event = machine_step(&m, step, accesses);
		mz_execution_observe(x, &event);
		mz_context_observe(context);
		graph_event(&graph, &event);
		for (size_t n = 0; n < m.nedges; n++) {
			mz_execution_order(x, m.edges[n].before, m.edges[n].after);
			graph_edge(&graph, m.edges[n]);
		}
		machine_look(&m);
		mz_context_set_view(context, &m.view);
		check_order(context, script, all, graph.key, t);
	}
	assert_false(x->failed);
	machine_release(&m);
	graph_release(&graph);
}

static void check_script(const struct script *script, uint64_t seed, unsigned *checked)
{
	struct arrivals all = {0};
	struct machine m;
	struct graph graph;
	machine_init(&m, script);
	graph_init(&graph, script->nthreads);
	for (size_t n = 0; n < m.nedges; n++) graph_edge(&graph, m.edges[n]);
	enumerate(&all, &m, &graph, MZ_NO_THREAD, 0);
	if (all.interleavings > 1 && all.interleavings < MAX_INTERLEAVINGS) {
		struct mz_execution x;
		struct mz_context context;
		mz_execution_init(&x, true);
		mz_context_init(&context, &x, 0);
		reduce(&all);
		for (int n = 0; n < 12; n++) walk(&x, &context, script, &all, &seed);
		mz_context_release(&context);
		mz_execution_release(&x);
		++*checked;
	}
	free(all.at);
	machine_release(&m);
	graph_release(&graph);
}

static void test_costs(void **state)
{
	(void)state;
	unsigned checked = 0;
	for (uint64_t seed = 1; checked < SCRIPTS; seed++) {
		struct script script;
		if (seed % 4)
			generate_script(&script, seed);
		else
			generate_spinning(&script, seed);
		check_script(&script, seed, &checked);
		script_release(&script);
	}
}

/* A lock that is taken early keeps others from being preempted: the run that takes it must not be moved to the end. */
static void test_early_lock(void **state)
{
	(void)state;
	unsigned checked = 0;
	struct script s;
	script_init(&s, 3, 3, 1, 0);
	add(&s, 0, LOCK(0));
	add(&s, 0, STORE(0, 1));
	for (uint32_t t = 1; t < 3; t++) {
		add(&s, t, STORE(t, 1));
		add(&s, t, LOCK(0));
	}
	check_script(&s, 1, &checked);
	assert_int_equal(checked, 1);
	script_release(&s);
}

/* ---- figures and theorems of the paper ---- */

/* Makes an execution of these threads' steps, and says what the threads would do next. */
static void make(struct mz_execution *x, struct mz_context *context, struct machine *m, const struct script *script,
                 const uint32_t *threads, uint32_t count)
{
	struct mz_access accesses[8];
	mz_execution_init(x, true);
	mz_context_init(context, x, 0);
	machine_init(m, script);
	for (uint32_t n = 0; n < count; n++) {
		machine_look(m);
		struct mz_event event = machine_step(m, (struct mz_step){threads[n], 0}, accesses);
		mz_execution_observe(x, &event);
		mz_context_observe(context);
	}
	machine_look(m);
	mz_context_set_view(context, &m->view);
	assert_false(x->failed);
}

/* Returns CB(s) of a state: the least bound within which some last step leads to it. */
static uint32_t context_bound(struct mz_context *context, const struct mz_cut *state)
{
	uint32_t at[16], least = UINT32_MAX;
	for (uint32_t t = 0; t < context->cuts.width; t++) {
		if (mz_cut_floor(&context->cuts, state, t) >= state->at[t]) continue;
		struct mz_cut before = {state->hash, at};
		memcpy(at, state->at, context->cuts.width * sizeof *at);
		mz_cut_remove_from(&context->cuts, &before, t, state->at[t] - 1);
		uint32_t bound = 0;
		while (!mz_context_is_within(context, &before, t, bound)) bound++;
		if (bound < least) least = bound;
	}
	return least;
}

/* Figure 2: the context bound is not monotonic. T1 makes two steps, T2 one that conflicts with the first of them. State c,
 * in which both have made one step, costs a preemption; state d, one step of T1 later, none: through e, in which T1 has
 * made both of its steps. So a search that visits only states within the bound still reaches d. */
static void test_figure_2(void **state)
{
	(void)state;
	struct script s;
	struct mz_execution x;
	struct mz_context context;
	struct machine m;
	struct outcome o;
	uint32_t at[2];
	struct mz_cut cut = {0, at};
	script_init(&s, 2, 2, 0, 0);
	add(&s, 0, STORE(0, 1));
	add(&s, 0, STORE(1, 1));
	add(&s, 1, STORE(0, 2));
	make(&x, &context, &m, &s, (const uint32_t[]){0, 1, 0}, 3);
	mz_cut_whole(&context.cuts, &cut);
	assert_int_equal(context_bound(&context, &cut), 0); /* d */
	mz_cut_remove_from(&context.cuts, &cut, 0, 1);
	assert_int_equal(context_bound(&context, &cut), 1); /* c */
	mz_cut_whole(&context.cuts, &cut);
	mz_cut_remove_from(&context.cuts, &cut, 1, 0);
	assert_int_equal(context_bound(&context, &cut), 0); /* e */
	run_search(&s, &(struct run_options){.strategy = "cbpor", .bounded = true, .graphs = true}, &o);
	assert_true(o.complete);
	assert_int_equal(o.graphs.count, 2);
	assert_int_equal(o.counts.executions, 2);
	outcome_release(&o);
	machine_release(&m);
	mz_context_release(&context);
	mz_execution_release(&x);
	script_release(&s);
}

enum { VERTICES = 5 };

/* Returns whether the vertices that are not in the set have no cycle among them. */
static bool breaks_cycles(const uint8_t edges[VERTICES], unsigned set)
{
	unsigned left = ~set & ((1u << VERTICES) - 1);
	for (bool removed = true; removed;) {
		removed = false;
		for (unsigned v = 0; v < VERTICES; v++) {
			if (!(left >> v & 1) || (edges[v] & left)) continue;
			left &= ~(1u << v);
			removed = true;
		}
	}
	return !left;
}

static uint32_t least_feedback_set(const uint8_t edges[VERTICES])
{
	uint32_t least = VERTICES;
	for (unsigned set = 0; set < 1u << VERTICES; set++)
		if (breaks_cycles(edges, set) && (uint32_t)__builtin_popcount(set) < least)
			least = (uint32_t)__builtin_popcount(set);
	return least;
}

/* Theorem 5 has the context bound of a state decide feedback vertex sets. A vertex is a thread, whose first step is a store,
 * and which then loads what each vertex with an edge to it has stored: edges[v] are those that v has an edge from. In the
 * state in which all stores come before all loads, the threads that are preempted are a feedback vertex set. */
static void check_feedback_set(const uint8_t edges[VERTICES])
{
	struct script s;
	struct mz_execution x;
	struct mz_context context;
	struct machine m;
	uint32_t at[VERTICES], threads[VERTICES * VERTICES], steps = 0;
	struct mz_cut cut = {0, at};
	script_init(&s, VERTICES, VERTICES, 0, 0);
	for (uint32_t v = 0; v < VERTICES; v++) {
		add(&s, v, STORE(v, 1));
		threads[steps++] = v;
	}
	for (uint32_t v = 0; v < VERTICES; v++) {
		for (uint32_t u = 0; u < VERTICES; u++) {
			if (!(edges[v] >> u & 1)) continue;
			add(&s, v, LOAD(u));
			threads[steps++] = v;
		}
	}
	make(&x, &context, &m, &s, threads, steps);
	mz_cut_whole(&context.cuts, &cut);
	assert_int_equal(context_bound(&context, &cut), least_feedback_set(edges));
	machine_release(&m);
	mz_context_release(&context);
	mz_execution_release(&x);
	script_release(&s);
}

static void test_theorem_5(void **state)
{
	(void)state;
	unsigned found[VERTICES] = {0};
	uint64_t random = 5;
	for (int n = 0; n < 200; n++) {
		uint8_t edges[VERTICES];
		for (unsigned v = 0; v < VERTICES; v++) {
			random = random * 6364136223846793005ULL + 1442695040888963407ULL;
			edges[v] = (uint8_t)(random >> 40 & random >> 50 & ((1u << VERTICES) - 1) & ~(1u << v));
			if (n % 2) edges[v] |= (uint8_t)(random >> 30 & ((1u << VERTICES) - 1) & ~(1u << v));
		}
		check_feedback_set(edges);
		found[least_feedback_set(edges)]++;
	}
	for (unsigned size = 0; size < 4; size++) assert_true(found[size] > 0);
}

/* ---- the table ---- */

static void test_table(void **state)
{
	(void)state;
	struct mz_prefixes p = {0};
	uint32_t row[3], number;
	assert_true(mz_prefixes_widen(&p, 2));
	for (uint32_t n = 0; n < 5000; n++) {
		row[0] = n % 71;
		row[1] = n / 71;
		assert_int_equal(mz_prefixes_find(&p, row, mz_prefix_hash(row[0]) ^ mz_prefix_hash(row[1])),
		                 MZ_NO_PREFIX);
		/* all in one place: only the rows tell them apart */
		assert_true(mz_prefixes_add(&p, row, n % 2, &number));
		assert_int_equal(number, n);
		mz_prefixes_notes(&p, number)[2] = (uint8_t)n;
	}
	assert_true(mz_prefixes_widen(&p, 3));
	for (uint32_t n = 0; n < 5000; n++) {
		row[0] = n % 71;
		row[1] = n / 71;
		row[2] = 0;
		assert_int_equal(mz_prefixes_find(&p, row, n % 2), n);
		assert_int_equal(mz_prefixes_notes(&p, n)[2], (uint8_t)n);
		assert_int_equal(mz_prefixes_notes(&p, n)[3], 0);
		row[2] = 1;
		assert_int_equal(mz_prefixes_find(&p, row, n % 2), MZ_NO_PREFIX);
	}
	assert_int_equal(p.count, 5000);
	mz_prefixes_release(&p);
}

static void test_limit(void **state)
{
	(void)state;
	struct mz_prefixes p = {.max_bytes = 100000};
	uint32_t row[4] = {0}, number;
	assert_true(mz_prefixes_widen(&p, 4));
	for (row[0] = 1; mz_prefixes_add(&p, row, mz_prefix_hash(row[0]), &number); row[0]++)
		assert_true(p.bytes <= 100000);
	assert_true(p.full && p.bytes <= 100000 && p.count > 1000);
	row[0] = 1;
	assert_int_equal(mz_prefixes_find(&p, row, mz_prefix_hash(1)), 0);
	mz_prefixes_release(&p);
}

/* ---- cbpor within limits ---- */

static void build_counter(struct script *s, uint32_t threads)
{
	script_init(s, threads, 1, 0, 0);
	for (uint32_t t = 0; t < threads; t++) {
		add(s, t, LOAD(0));
		add(s, t, STORE(0, t));
	}
}

static void test_memory(void **state)
{
	(void)state;
	struct script s;
	struct outcome all, some;
	build_counter(&s, 4);
	struct run_options options = {.strategy = "cbpor", .bounded = true, .preemptions = 4};
	run_search(&s, &options, &all);
	assert_true(all.complete && !all.memory.full);
	assert_int_equal(all.counts.executions, 576);
	assert_true(all.memory.graphs > 576);
	options.max_memory = all.memory.bytes * 2 / 3;
	run_search(&s, &options, &some);
	assert_true(!some.complete && some.failed && some.memory.full);
	assert_true(some.memory.bytes <= all.memory.bytes);
	assert_in_range(some.counts.executions, 1, 575);
	outcome_release(&all);
	outcome_release(&some);
	script_release(&s);
}

/* Whoever starts over within a larger bound does as if it was the first. */
static void test_raise(void **state)
{
	(void)state;
	static const struct {
		const char *strategy;
		uint64_t executions[4];
	} all[] = {{"cbpor", {6, 24, 36, 36}}, {"optimal", {6, 24, 36, 36}}, {"dfs", {6, 24, 60, 90}}};
	for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
		for (uint32_t bound = 0; bound < 4; bound++) {
			struct script s;
			struct outcome o;
			build_counter(&s, 3);
			struct run_options options = {
			    .strategy = all[n].strategy, .bounded = true, .preemptions = bound, .raised = true};
			run_search(&s, &options, &o);
			assert_true(o.complete);
			assert_int_equal(o.counts.executions, all[n].executions[bound]);
			assert_int_equal(o.counts.redundant, 0);
			outcome_release(&o);
			script_release(&s);
		}
	}
}

/* What is executed when a limit on steps ends executions: every graph of that many steps, once. */
static void test_max_steps(void **state)
{
	(void)state;
	static const uint64_t graphs[] = {3, 6, 13, 24};
	for (uint32_t steps = 1; steps <= 4; steps++) {
		struct script s;
		struct outcome o;
		build_counter(&s, 3);
		struct run_options options = {.strategy = "cbpor", .max_steps = steps};
		run_search(&s, &options, &o);
		assert_true(o.complete);
		assert_int_equal(o.counts.executions, graphs[steps - 1]);
		assert_int_equal(o.counts.redundant, 0);
		outcome_release(&o);
		script_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_costs), cmocka_unit_test(test_early_lock), cmocka_unit_test(test_table),
	    cmocka_unit_test(test_limit), cmocka_unit_test(test_memory),     cmocka_unit_test(test_max_steps),
	    cmocka_unit_test(test_raise), cmocka_unit_test(test_figure_2),   cmocka_unit_test(test_theorem_5),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
