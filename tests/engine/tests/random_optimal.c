/* SPDX-License-Identifier: MIT
 *
 * engine_random_optimal [SEED [COUNT [spinning|sharing|polling|branching|sections]]]: COUNT random scripts, against
 * exhaustive enumeration. `optimal` must reach every graph, each once, with nothing redundant, whatever it prefers where it is
 * free; `dfs` must count every interleaving. Of scripts whose threads spin all states are visited too, with and without
 * having those wait.
 */
#include "generate.h"
#include "harness.h"
#include "reach.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PREFIXES 6000
#define MAX_INTERLEAVINGS 20000
#define MAX_STATES 20000

static const char *kind = "";
static unsigned deadlocking, choosing, signalling, compared;
static bool spinning, sections;
static uint64_t graphs, executions;

static bool report(const struct script *script, uint64_t seed, const char *what, uint64_t expected, uint64_t found)
{
	fprintf(stderr, "seed %llu: %s: expected %llu, found %llu\n", (unsigned long long)seed, what,
	        (unsigned long long)expected, (unsigned long long)found);
	script_print(script, stderr);
	return false;
}

static bool check_optimal(const struct script *script, uint64_t seed, const struct truth *truth, uint64_t whim)
{
	struct outcome o;
	struct run_options options = {.strategy = "optimal", .count_traces = true, .graphs = true, .whim = whim};
	run_search(script, &options, &o);
	bool right = true;
	if (o.failed || !o.complete)
		right = report(script, seed, "optimal: failed", 0, 1);
	else if (o.repeated)
		right = report(script, seed, "optimal: repeated graphs", 0, o.repeated);
	else if (o.counts.redundant && !sections) /* what a section does is guessed */
		right = report(script, seed, "optimal: redundant", 0, o.counts.redundant);
	else if (!graph_sets_equal(&o.graphs, &truth->graphs))
		right = report(script, seed, "optimal: graphs", truth->graphs.count, o.graphs.count);
	else if (o.counts.executions != truth->graphs.count)
		right = report(script, seed, "optimal: executions", truth->graphs.count, o.counts.executions);
	else if (o.counts.traces != truth->graphs.count)
		right = report(script, seed, "optimal: traces", truth->graphs.count, o.counts.traces);
	else if (o.deadlocks != truth->deadlocks)
		right = report(script, seed, "optimal: deadlocks", truth->deadlocks, o.deadlocks);
	executions += o.counts.executions;
	outcome_release(&o);
	return right;
}

static bool check_dfs(const struct script *script, uint64_t seed, const struct truth *truth)
{
	struct outcome o;
	run_search(script, &(struct run_options){.strategy = "dfs", .count_traces = true}, &o);
	bool right = true;
	if (o.counts.executions != truth->interleavings)
		right = report(script, seed, "dfs: interleavings", truth->interleavings, o.counts.executions);
	else if (o.counts.traces != truth->graphs.count)
		right = report(script, seed, "dfs: traces", truth->graphs.count, o.counts.traces);
	outcome_release(&o);
	return right;
}

static void note_features(const struct script *script)
{
	bool chooses = false, signals = false;
	for (uint32_t t = 0; t < script->nthreads; t++) {
		for (size_t n = 0; n < script->threads[t].length; n++) {
			chooses |= script->threads[t].code[n].kind == SCRIPT_CHOOSE;
			signals |= script->threads[t].code[n].kind == SCRIPT_SIGNAL;
		}
	}
	choosing += chooses;
	signalling += signals;
}

/* That threads wait instead of spinning hides nothing. */
static bool check_waiting(const struct script *script, uint64_t seed)
{
	struct reach all, waiting;
	bool right = true, complete = reach_all(script, true, MAX_STATES, &all);
	complete &= reach_all(script, false, MAX_STATES, &waiting);
	if (complete) {
		compared++;
		if (!graph_sets_equal(&all.steps, &waiting.steps))
			right = report(script, seed, "steps", all.steps.count, waiting.steps.count);
		else if (!graph_sets_equal(&all.ends, &waiting.ends))
			right = report(script, seed, "ends", all.ends.count, waiting.ends.count);
	}
	reach_release(&all);
	reach_release(&waiting);
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
		verdict = check_optimal(&script, seed, &truth, 0) && check_optimal(&script, seed, &truth, seed | 1);
		if (verdict && truth.interleavings <= MAX_INTERLEAVINGS) verdict = check_dfs(&script, seed, &truth);
		if (verdict && spinning) verdict = check_waiting(&script, seed);
		deadlocking += truth.deadlocks > 0;
		graphs += truth.graphs.count;
		note_features(&script);
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
	spinning = argc > 3 && strcmp(argv[3], "spinning") == 0;
	sections = argc > 3 && strcmp(argv[3], "sections") == 0;
	for (; done < count; seed++) {
		int verdict = check_seed(seed);
		done += verdict >= 0;
		wrong += verdict == 0;
	}
	printf("%llu programs, %llu graphs, %llu executions; %u can deadlock, %u signal, %u choose: %llu wrong\n",
	       (unsigned long long)done, (unsigned long long)graphs, (unsigned long long)executions, deadlocking,
	       signalling, choosing, (unsigned long long)wrong);
	if (spinning) printf("%u of them hide nothing that spinning for ever would reach\n", compared);
	return wrong > 0;
}
