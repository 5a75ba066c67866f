/* SPDX-License-Identifier: MIT
 *
 * engine_random_workers [SEED [COUNT [spinning|sharing|polling|branching]]]: COUNT random scripts, each explored by several
 * workers that share a trunk, in one process: who makes the next execution, when parts are given up, and which worker is
 * lost with what it has not settled yet, is random.
 * Against exhaustive enumeration: every graph must be reached, each once, with nothing redundant, whatever the order.
 */
#include "engine/backtracking/trunk.h"
#include "generate.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PREFIXES 6000
#define MAX_WORKERS 8
#define WAYS 3

static const char *kind = "";
static uint64_t graphs, executions, losses;

struct worker {
	struct mz_search *search;
	struct script_executor executor;
	struct graph graph;
	struct mz_step *schedule;
	struct mz_trunk_worker trunk;
	struct crew *crew;
	struct graph_set made; /* the graphs of its executions, in order */
	uint64_t deadlocks;
	struct mz_trunk_counts settled, next;
};

struct crew {
	const struct script *script;
	struct mz_trunk trunk;
	struct worker workers[MAX_WORKERS];
	uint32_t n;
	uint64_t random;
	struct graph_set found;
	uint64_t deadlocks;
	uint64_t forgotten; /* executions of workers that left, which do not count */
	struct mz_search_counts counts;
};

static uint32_t below(struct crew *crew, uint32_t n)
{
	crew->random = crew->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)((crew->random >> 33) % n);
}

static struct mz_trunk_counts count(void *self)
{
	const struct worker *worker = self;
	return (struct mz_trunk_counts){.executions = worker->made.count, .assumed = worker->deadlocks};
}

static void settle(void *self, const struct mz_wakeup *leaf, const struct mz_trunk_counts *counts)
{
	struct worker *worker = self;
	(void)leaf;
	worker->next = *counts;
}

static void settled(void *self)
{
	struct worker *worker = self;
	for (size_t n = worker->settled.executions; n < worker->next.executions; n++)
		graph_set_add(&worker->crew->found, worker->made.keys[n]);
	worker->crew->deadlocks += worker->next.assumed - worker->settled.assumed;
	worker->settled = worker->next;
}

static void worker_init(struct crew *crew, uint32_t number)
{
	struct worker *worker = &crew->workers[number];
	struct mz_search_options options = {.strategy = mz_strategy_find("optimal"), .trunk = &worker->trunk};
	worker->crew = crew;
	worker->trunk = (struct mz_trunk_worker){.trunk = &crew->trunk,
	                                         .number = number,
	                                         .self = worker,
	                                         .count = count,
	                                         .settle = settle,
	                                         .settled = settled};
	worker->search = mz_search_new(&options);
	script_executor_init(&worker->executor, crew->script, 10000);
	graph_init(&worker->graph, crew->script->nthreads);
	harness_watch(&worker->executor, &worker->graph);
	worker->executor.whim = below(crew, 2) ? crew->random | 1 : 0;
	worker->schedule = malloc(worker->executor.max_steps * sizeof *worker->schedule);
}

static void worker_release(struct worker *worker)
{
	mz_search_free(worker->search);
	script_executor_release(&worker->executor);
	graph_release(&worker->graph);
	free(worker->schedule);
	mz_trunk_worker_release(&worker->trunk);
	graph_set_release(&worker->made);
	*worker = (struct worker){0};
}

/* One execution of a worker, if there is one for it. */
static void work(struct worker *worker)
{
	const struct mz_driver driver = {worker->search, mz_search_choose, mz_search_observe, mz_search_order};
	struct mz_view view;
	uint32_t known;
	if (!mz_search_next(worker->search, &known)) return;
	enum mz_end end = script_executor_run(&worker->executor, worker->schedule, known, &driver, &view);
	mz_search_end(worker->search, &view, end == MZ_END_STEPS);
	worker->deadlocks += end == MZ_END_DEADLOCK;
	if (end == MZ_END_DEADLOCK || end == MZ_END_FINISHED) graph_set_add(&worker->made, worker->graph.key);
}

/* A new worker takes the place of one that is lost. What it has stored in the trunk stays. */
static void lose(struct crew *crew, uint32_t number)
{
	struct worker *worker = &crew->workers[number];
	struct mz_wakeups wakeups = worker->trunk.wakeups;
	crew->counts.redundant += mz_search_counts(worker->search).redundant;
	worker->trunk.wakeups = (struct mz_wakeups){0};
	worker_release(worker);
	worker_init(crew, number);
	worker->trunk.wakeups = wakeups;
	mz_trunk_lose(&crew->trunk, number);
	losses++;
}

/* A worker leaves its part to others, and a new one takes its place. All that it has explored counts. */
static void leave(struct crew *crew, uint32_t number)
{
	struct worker *worker = &crew->workers[number];
	mz_search_leave(worker->search);
	crew->forgotten += worker->made.count - worker->settled.executions;
	lose(crew, number);
}

static void explore(struct crew *crew, uint64_t most)
{
	uint32_t generosity = 1 + below(crew, 8);
	bool perilous = below(crew, 2);
	for (uint32_t n = 0; n < crew->n; n++) worker_init(crew, n);
	for (uint64_t turns = 0; !mz_trunk_is_done(&crew->trunk) && turns < most; turns++) {
		struct mz_trunk *trunk = &crew->trunk;
		trunk->wanted = below(crew, generosity) == 0;
		uint32_t number = below(crew, crew->n);
		work(&crew->workers[number]);
		if (perilous && below(crew, 20) == 0) leave(crew, number);
		if (perilous && below(crew, 20) == 0) lose(crew, number);
	}
	for (uint32_t n = 0; n < crew->n; n++) {
		struct mz_search_counts counts = mz_search_counts(crew->workers[n].search);
		crew->counts.executions += counts.executions;
		crew->counts.redundant += counts.redundant;
	}
	for (uint32_t n = 0; n < crew->n; n++) worker_release(&crew->workers[n]);
}

static bool report(const struct script *script, uint64_t seed, uint64_t way, const char *what, uint64_t expected,
                   uint64_t found)
{
	fprintf(stderr, "seed %llu, way %llu: %s: expected %llu, found %llu\n", (unsigned long long)seed,
	        (unsigned long long)way, what, (unsigned long long)expected, (unsigned long long)found);
	script_print(script, stderr);
	return false;
}

static bool check_workers(const struct script *script, uint64_t seed, uint64_t way, const struct truth *truth)
{
	struct crew crew = {.script = script, .random = seed * WAYS + way};
	crew.n = 1 + below(&crew, MAX_WORKERS);
	explore(&crew, 1000 * truth->graphs.count + 10000);
	uint64_t repeated = graph_set_sort(&crew.found);
	bool right = true;
	if (!mz_trunk_is_done(&crew.trunk))
		right = report(script, seed, way, "does not end", 0, crew.counts.executions);
	else if (crew.forgotten)
		right = report(script, seed, way, "forgotten", 0, crew.forgotten);
	else if (repeated)
		right = report(script, seed, way, "repeated graphs", 0, repeated);
	else if (crew.counts.redundant)
		right = report(script, seed, way, "redundant", 0, crew.counts.redundant);
	else if (!graph_sets_equal(&crew.found, &truth->graphs))
		right = report(script, seed, way, "graphs", truth->graphs.count, crew.found.count);
	else if (crew.deadlocks != truth->deadlocks)
		right = report(script, seed, way, "deadlocks", truth->deadlocks, crew.deadlocks);
	executions += crew.counts.executions;
	graph_set_release(&crew.found);
	return right;
}

/* 1: right, 0: wrong, -1: not a program to learn from. */
static int check_seed(uint64_t seed)
{
	struct script script;
	struct truth truth;
	generate_of_kind(&script, kind, seed);
	int verdict = -1;
	if (referee_enumerate(&script, MAX_PREFIXES, &truth) && truth.graphs.count > 1) {
		verdict = 1;
		for (uint64_t way = 0; way < WAYS && verdict; way++)
			verdict = check_workers(&script, seed, way, &truth);
		graphs += truth.graphs.count;
	}
	truth_release(&truth);
	script_release(&script);
	return verdict;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 600;
	uint64_t done = 0, wrong = 0;
	if (argc > 3) kind = argv[3];
	for (; done < count; seed++) {
		int verdict = check_seed(seed);
		done += verdict >= 0;
		wrong += verdict == 0;
	}
	printf("%llu programs, %llu graphs, %llu executions, %llu workers lost: %llu wrong\n", (unsigned long long)done,
	       (unsigned long long)graphs, (unsigned long long)executions, (unsigned long long)losses,
	       (unsigned long long)wrong);
	return wrong > 0;
}
