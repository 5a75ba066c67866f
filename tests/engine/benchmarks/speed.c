/* SPDX-License-Identifier: MIT
 *
 * bench_speed [SECONDS [STRATEGY]]: how fast the engine is, without any program behind it. Time spent in the script
 * machine is measured with the schedules of the search and taken off.
 */
#include "build.h"
#include "harness.h"
#include "script_executor.h"
#include <stdlib.h>
#include <time.h>

#define MAX_RUNS 200000

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Stands in for the engine when only the machine is to be measured: plays back what was chosen. */
struct playback {
	struct mz_step *steps;
	size_t count, capacity, at;
};

struct recorder {
	struct mz_search *search;
	struct playback *tape;
};

static void tape_add(struct playback *tape, struct mz_step step)
{
	if (tape->count == tape->capacity) {
		tape->capacity = tape->capacity ? 2 * tape->capacity : 1 << 16;
		tape->steps = realloc(tape->steps, tape->capacity * sizeof *tape->steps);
		if (!tape->steps) abort();
	}
	tape->steps[tape->count++] = step;
}

static struct mz_step record_choose(void *self, const struct mz_view *view)
{
	struct recorder *r = self;
	struct mz_step step = mz_search_choose(r->search, view);
	tape_add(r->tape, step);
	return step;
}

static void record_observe(void *self, const struct mz_event *event)
{
	mz_search_observe(((struct recorder *)self)->search, event);
}

static void record_order(void *self, uint32_t before, uint32_t after)
{
	mz_search_order(((struct recorder *)self)->search, before, after);
}

static struct mz_step play_choose(void *self, const struct mz_view *view)
{
	struct playback *tape = self;
	(void)view;
	return tape->steps[tape->at++];
}

static void play_observe(void *self, const struct mz_event *event)
{
	(void)self;
	(void)event;
}

static void play_order(void *self, uint32_t before, uint32_t after)
{
	(void)self;
	(void)before;
	(void)after;
}

struct result {
	double seconds;
	struct mz_search_counts counts;
};

static struct mz_search *search_new(const char *strategy)
{
	struct mz_search_options options = {.strategy = mz_strategy_find(strategy), .max_executions = 20000};
	if (!options.strategy) abort();
	struct mz_search *search = mz_search_new(&options);
	if (!search) abort();
	return search;
}

static struct result run(const struct script *script, const char *strategy, struct playback *tape, uint32_t *knowns)
{
	struct script_executor executor;
	struct mz_step schedule[4096];
	struct mz_view view;
	struct mz_search *search = search_new(strategy);
	struct recorder recorder = {search, tape};
	struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	if (tape) driver = (struct mz_driver){&recorder, record_choose, record_observe, record_order};
	script_executor_init(&executor, script, 4096);
	double start = now();
	uint32_t known;
	for (size_t n = 0; n < MAX_RUNS && mz_search_next(search, &known); n++) {
		if (knowns) knowns[n] = known;
		enum mz_end end = script_executor_run(&executor, schedule, known, &driver, &view);
		mz_search_end(search, &view, end == MZ_END_STEPS);
	}
	struct result result = {now() - start, mz_search_counts(search)};
	mz_search_free(search);
	script_executor_release(&executor);
	return result;
}

static double machine_only(const struct script *script, struct playback *tape, const uint32_t *knowns, size_t count)
{
	struct script_executor executor;
	struct mz_step schedule[4096];
	struct mz_view view;
	const struct mz_driver driver = {tape, play_choose, play_observe, play_order};
	script_executor_init(&executor, script, 4096);
	tape->at = 0;
	double start = now();
	for (size_t n = 0; n < count; n++) script_executor_run(&executor, schedule, knowns[n], &driver, &view);
	double seconds = now() - start;
	script_executor_release(&executor);
	return seconds;
}

static void measure(const char *name, const char *strategy, struct script *script, double budget)
{
	struct playback tape = {0};
	uint32_t *knowns = malloc(MAX_RUNS * sizeof *knowns);
	if (!knowns) abort();
	struct result first = run(script, strategy, &tape, knowns);
	uint64_t runs = first.counts.executions + first.counts.redundant;
	double machine = 1e9, engine = 1e9, start = now();
	do {
		double m = machine_only(script, &tape, knowns, runs);
		double e = run(script, strategy, NULL, NULL).seconds;
		if (m < machine) machine = m;
		if (e < engine) engine = e;
	} while (now() - start < budget);
	double own = engine - machine;
	printf("%-8s %-20s %8llu executions %9llu events %7.0f ns/execution %6.0f ns/event %10.0f executions/s\n",
	       strategy, name, (unsigned long long)runs, (unsigned long long)first.counts.steps,
	       1e9 * own / (double)runs, 1e9 * own / (double)first.counts.steps, (double)runs / own);
	free(knowns);
	free(tape.steps);
	script_release(script);
}

static void readers(struct script *s, uint32_t n)
{
	script_init(s, n + 1, 1, 0, 0);
	add(s, 0, STORE(0, 1));
	for (uint32_t t = 1; t <= n; t++) add(s, t, LOAD(0));
}

static void lastzero(struct script *s, uint32_t n)
{
	script_init(s, n + 1, n + 1, 0, 0);
	for (uint32_t i = n + 1; i-- > 0;) {
		add(s, 0, LOAD(i));
		if (i > 0) add(s, 0, {.kind = SCRIPT_UNLESS, .value = 1, .other = 2 * i});
	}
	for (uint32_t t = 1; t <= n; t++) {
		add(s, t, LOAD(t - 1));
		add(s, t, STORE(t, 1));
	}
}

static void counter(struct script *s, uint32_t threads, uint32_t rounds)
{
	script_init(s, threads, 1, 0, 0);
	for (uint32_t t = 0; t < threads; t++) {
		for (uint32_t n = 0; n < rounds; n++) add(s, t, ADD(0, 1));
	}
}

static void mutex_counter(struct script *s, uint32_t threads, uint32_t rounds)
{
	script_init(s, threads, 1, 1, 0);
	for (uint32_t t = 0; t < threads; t++) {
		for (uint32_t n = 0; n < rounds; n++) {
			add(s, t, LOCK(0));
			add(s, t, LOAD(0));
			add(s, t, STORE(0, 1));
			add(s, t, UNLOCK(0));
		}
	}
}

static void measure_all(const char *strategy, double budget)
{
	struct script s;
	readers(&s, 10);
	measure("readers(10)", strategy, &s, budget);
	lastzero(&s, 10);
	measure("lastzero(10)", strategy, &s, budget);
	counter(&s, 3, 3);
	measure("fetch_add 3x3", strategy, &s, budget);
	mutex_counter(&s, 3, 2);
	measure("mutex counter 3x2", strategy, &s, budget);
}

int main(int argc, char **argv)
{
	double budget = argc > 1 ? atof(argv[1]) : 1;
	struct script s;
	measure_all(argc > 2 ? argv[2] : "optimal", budget);
	if (argc > 2) return 0;
	counter(&s, 3, 3);
	measure("fetch_add 3x3", "dfs", &s, budget);
	return 0;
}
