/* SPDX-License-Identifier: MIT
 *
 * engine_random_strategies [SEED [COUNT [NAME [spinning | sharing | polling | sections | unjudged]]]]: COUNT random scripts,
 * against exhaustive enumeration, for every strategy with every order and with and without sleep sets, where there is
 * the choice; or for those only whose name begins with NAME.
 *
 * A strategy that is exhaustive must reach every graph and nothing else. What more each promises is in the table. For a
 * longer campaign: `engine_random_strategies 1 10000`; it prints what failed with its seed. `unjudged`: nothing is
 * wrong but what the engine's own checks end the process for.
 */
#include "generate.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PREFIXES 3000
#define MAX_INTERLEAVINGS 2000
#define SAMPLES 60
#define TINY 6 /* interleavings: the rarest has a likelihood of at least about 2^-6 */

struct contender {
	const char *strategy;
	enum mz_order order;
	bool no_sleep;
	bool once;  /* never completes two equal executions */
	bool exact; /* is never stuck because everything sleeps */
	bool random;
	bool secretive; /* as for a host: what is pending is not known */
	/* what came out */
	uint64_t executions, redundant, repeated, graphs;
};

static struct contender contenders[] = {
    {"dpor", MZ_ORDER_DFS, false},
    {"dpor", MZ_ORDER_DFS, true, .exact = true},
    {"dpor", MZ_ORDER_BIT_REVERSAL, false},
    {"dpor", MZ_ORDER_ROUND_ROBIN, false},
    {"dpor", MZ_ORDER_STRIDE, false},
    {"dpor", MZ_ORDER_CONFLICT_FIRST, false},
    {"dpor", MZ_ORDER_RANDOM, false},
    {"dpor", MZ_ORDER_RANDOM, true, .exact = true},
    {"dpor", MZ_ORDER_DFS, false, .secretive = true},
    {"dpor", MZ_ORDER_DFS, true, .exact = true, .secretive = true},
    {"dpor-cr", MZ_ORDER_DFS, false, .once = true},
    {"dpor-cr", MZ_ORDER_DFS, true, .exact = true},
    {"dpor-cr", MZ_ORDER_DFS, false, .once = true, .secretive = true},
    {"dpor-cr", MZ_ORDER_DFS, true, .exact = true, .secretive = true},
    {"dpor-cr", MZ_ORDER_BIT_REVERSAL, false, .once = true},
    {"dpor-cr", MZ_ORDER_ROUND_ROBIN, false, .once = true},
    {"dpor-cr", MZ_ORDER_STRIDE, false, .once = true},
    {"dpor-cr", MZ_ORDER_CONFLICT_FIRST, false, .once = true},
    {"dpor-cr", MZ_ORDER_RANDOM, false, .once = true},
    {"dpor-cr", MZ_ORDER_RANDOM, true, .exact = true},
    {"bpor", MZ_ORDER_DFS, false, .once = true},
    {"bpor", MZ_ORDER_DFS, true, .exact = true},
    {"bpor", MZ_ORDER_ROUND_ROBIN, false, .once = true},
    {"source", MZ_ORDER_DFS, false, .once = true},
    {"source", MZ_ORDER_BIT_REVERSAL, false, .once = true},
    {"source", MZ_ORDER_ROUND_ROBIN, false, .once = true},
    {"source", MZ_ORDER_STRIDE, false, .once = true},
    {"source", MZ_ORDER_CONFLICT_FIRST, false, .once = true},
    {"source", MZ_ORDER_RANDOM, false, .once = true},
    {"cbpor", MZ_ORDER_DFS, false, .once = true, .exact = true},
    {"optimal", MZ_ORDER_DFS, false, .once = true, .exact = true},
    {"optimal", MZ_ORDER_BIT_REVERSAL, false, .once = true},
    {"optimal", MZ_ORDER_ROUND_ROBIN, false, .once = true},
    {"optimal", MZ_ORDER_STRIDE, false, .once = true},
    {"optimal", MZ_ORDER_CONFLICT_FIRST, false, .once = true},
    {"optimal", MZ_ORDER_RANDOM, false, .once = true},
    {"random", .random = true},
    {"pct", .random = true},
    {"pos", .random = true},
};
#define CONTENDERS (sizeof contenders / sizeof *contenders)

static const char *kind = "";
static unsigned deadlocking, tiny;
static bool spinning, sharing, polling, sections, unjudged;

static bool report(const struct script *script, const struct contender *c, uint64_t seed, const char *what,
                   uint64_t expected, uint64_t found)
{
	fprintf(stderr, "seed %llu: %s %s%s: %s: expected %llu, found %llu\n", (unsigned long long)seed, c->strategy,
	        mz_order_name(c->order),
	        c->no_sleep    ? " without sleep sets"
	        : c->secretive ? ", nothing foreseen"
	                       : "",
	        what, (unsigned long long)expected, (unsigned long long)found);
	script_print(script, stderr);
	return unjudged;
}

static bool check_exhaustive(const struct script *script, struct contender *c, uint64_t seed, const struct truth *truth,
                             uint64_t whim)
{
	struct outcome o;
	struct run_options options = {.strategy = c->strategy,
	                              .count_traces = true,
	                              .graphs = true,
	                              .whim = whim,
	                              .secretive = c->secretive,
	                              .order = c->order,
	                              .seed = seed + whim,
	                              .no_sleep = c->no_sleep,
	                              .max_executions = 20 * truth->interleavings + 1000};
	run_search(script, &options, &o);
	bool right = true;
	if (o.failed || !o.complete)
		right = report(script, c, seed, "does not end", truth->graphs.count, o.counts.executions);
	else if (!graph_sets_equal(&o.graphs, &truth->graphs))
		right = report(script, c, seed, "graphs", truth->graphs.count, o.graphs.count);
	else if (o.counts.traces != truth->graphs.count)
		right = report(script, c, seed, "traces", truth->graphs.count, o.counts.traces);
	else if (c->once && o.repeated)
		right = report(script, c, seed, "repeated graphs", 0, o.repeated);
	else if (c->once && o.deadlocks != truth->deadlocks)
		right = report(script, c, seed, "deadlocks", truth->deadlocks, o.deadlocks);
	else if (o.deadlocks < truth->deadlocks)
		right = report(script, c, seed, "fewer deadlocks", truth->deadlocks, o.deadlocks);
	else if (c->exact && o.counts.redundant && !sections) /* what a section does is guessed */
		right = report(script, c, seed, "redundant", 0, o.counts.redundant);
	c->executions += o.counts.executions;
	c->redundant += o.counts.redundant;
	c->repeated += o.repeated;
	c->graphs += truth->graphs.count;
	outcome_release(&o);
	return right;
}

static bool contains(const struct graph_set *all, const struct graph_set *some)
{
	size_t n = 0;
	for (size_t m = 0; m < some->count; m++) {
		while (n < all->count && memcmp(&all->keys[n], &some->keys[m], sizeof *all->keys) != 0) n++;
		if (n == all->count) return false;
	}
	return true;
}

/* What a random strategy samples is there; and if there is little, in the end it has seen it all. */
static bool check_random(const struct script *script, struct contender *c, uint64_t seed, const struct truth *truth)
{
	bool is_tiny = truth->interleavings <= TINY, right = true;
	struct outcome o;
	struct run_options options = {.strategy = c->strategy,
	                              .count_traces = true,
	                              .graphs = true,
	                              .seed = seed,
	                              .depth = 5,
	                              .ends_after = is_tiny ? 2000 : SAMPLES};
	run_search(script, &options, &o);
	if (o.failed || !o.complete || o.counts.executions != options.ends_after)
		right = report(script, c, seed, "executions", options.ends_after, o.counts.executions);
	else if (!contains(&truth->graphs, &o.graphs))
		right = report(script, c, seed, "graphs that are not there", 0, 1);
	else if (o.counts.traces != o.graphs.count)
		right = report(script, c, seed, "traces", o.graphs.count, o.counts.traces);
	else if (is_tiny && o.graphs.count != truth->graphs.count)
		right = report(script, c, seed, "graphs seen in the end", truth->graphs.count, o.graphs.count);
	c->executions += o.counts.executions;
	c->repeated += o.repeated;
	c->graphs += truth->graphs.count;
	outcome_release(&o);
	return right;
}

/* To those that do not let weak writes commute, meetings of all threads are as many graphs as there are orders. */
static bool takes_too_long(const struct contender *c, const struct truth *truth)
{
	return (sharing || polling) && strcmp(c->strategy, "dpor") == 0 && truth->interleavings > MAX_INTERLEAVINGS;
}

static bool check_all(const struct script *script, uint64_t seed, const struct truth *truth, const char *name)
{
	bool right = true;
	for (size_t n = 0; n < CONTENDERS && right; n++) {
		struct contender *c = &contenders[n];
		if (strncmp(c->strategy, name, strlen(name)) != 0 || takes_too_long(c, truth)) continue;
		if (sections && c->secretive) continue; /* steps of hosts touch the same wherever they are */
		if (c->random)
			right = check_random(script, c, seed, truth);
		else
			right = check_exhaustive(script, c, seed, truth, 0) &&
			        check_exhaustive(script, c, seed, truth, seed | 1);
	}
	return right;
}

/* 1: right, 0: wrong, -1: not a program to learn from. */
static int check_seed(uint64_t seed, const char *name)
{
	struct script script;
	struct truth truth;
	generate_of_kind(&script, kind, seed);
	int verdict = -1;
	if (referee_enumerate(&script, MAX_PREFIXES, &truth) && truth.graphs.count > 1) {
		verdict = check_all(&script, seed, &truth, name);
		deadlocking += truth.deadlocks > 0;
		tiny += truth.interleavings <= TINY;
	}
	truth_release(&truth);
	script_release(&script);
	return verdict;
}

static void print_table(void)
{
	printf("%-8s %-15s %-8s %10s %10s %10s %12s\n", "strategy", "order", "", "graphs", "executions", "repeated",
	       "redundant");
	for (size_t n = 0; n < CONTENDERS; n++) {
		const struct contender *c = &contenders[n];
		if (!c->executions) continue;
		printf("%-8s %-15s %-8s %10llu %10llu %10llu %10llu (%.1f%%)\n", c->strategy,
		       c->random ? "" : mz_order_name(c->order),
		       c->secretive  ? "host"
		       : c->no_sleep ? "no sleep"
		                     : "",
		       (unsigned long long)c->graphs, (unsigned long long)c->executions,
		       (unsigned long long)c->repeated, (unsigned long long)c->redundant,
		       100.0 * (double)c->redundant / (double)c->graphs);
	}
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 150;
	const char *name = argc > 3 ? argv[3] : "";
	if (argc > 4) kind = argv[4];
	spinning = argc > 4 && strcmp(argv[4], "spinning") == 0;
	sharing = argc > 4 && strcmp(argv[4], "sharing") == 0;
	polling = argc > 4 && strcmp(argv[4], "polling") == 0;
	sections = argc > 4 && strcmp(argv[4], "sections") == 0;
	unjudged = argc > 4 && strcmp(argv[4], "unjudged") == 0;
	uint64_t done = 0, wrong = 0, first = seed;
	for (; done < count; seed++) {
		int verdict = check_seed(seed, name);
		done += verdict >= 0;
		wrong += verdict == 0;
	}
	print_table();
	printf("%llu programs from seed %llu on; %u can deadlock, %u are tiny: %llu wrong\n", (unsigned long long)done,
	       (unsigned long long)first, deadlocking, tiny, (unsigned long long)wrong);
	return wrong > 0;
}
