/* SPDX-License-Identifier: MIT
 *
 * bench_published [SEED [COUNT [NAME]]]: what strategies miss as published (--as-published), and what that costs. COUNT
 * random scripts are explored by every strategy that has a published form, or by the one called NAME: as published, with
 * sleep sets and, where that has the choice, without, and as we have it; within each bound that it can honour. What is missing is judged by
 * exhaustive enumeration.
 *
 * One line for each way, separated by tabs: the strategy, `published` or `ours`, `sleep` or `no sleep`, the bounds, how
 * many programs, in how many of them graphs were missing, how many graphs there are and how many were missing,
 * executions, and redundant ones. Preemptions are bounded by 0 to 4, and these are summed up. Strategies that have no
 * bounds explore programs with few interleavings only.
 */
#include "generate.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PREFIXES 4000
#define MAX_INTERLEAVINGS 3000 /* without sleep sets, dpor runs nearly all of them */

struct law {
	const char *name;
	unsigned kinds;
	uint32_t yields;
};

static const struct law laws[] = {
    {"none", 0, 0},
    {"preemptions", MZ_BOUND_PREEMPTIONS, 0},
    {"fair 0", MZ_BOUND_FAIR, 0},
    {"fair 1", MZ_BOUND_FAIR, 1},
    {"preemptions, fair 0", MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR, 0},
    {"preemptions, fair 1", MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR, 1},
};
#define LAWS (sizeof laws / sizeof *laws)
#define STRATEGIES 16

struct sum {
	uint64_t programs, wrong, graphs, missing, executions, redundant;
};

/* By strategy; as published and as ours; with and without sleep sets; by law. */
static struct sum sums[STRATEGIES][2][2][LAWS];

struct way {
	size_t strategy;
	bool published, sleeps;
	size_t law;
};

static struct sum *sum_of(const struct way *way)
{
	return &sums[way->strategy][way->published][way->sleeps][way->law];
}

static bool has(const struct graph_set *set, const struct graph_key *key)
{
	size_t n = 0;
	while (n < set->count && memcmp(&set->keys[n], key, sizeof *key) != 0) n++;
	return n < set->count;
}

/* Returns how many graphs of a set were not reached. */
static uint64_t count_missing(const struct graph_set *all, const struct graph_set *reached)
{
	uint64_t missing = 0;
	for (size_t n = 0; n < all->count; n++) missing += !has(reached, &all->keys[n]);
	return missing;
}

static uint64_t explore_within(const struct way *way, const struct script *script, const struct truth *truth,
                               uint32_t bound)
{
	const struct law *law = &laws[way->law];
	const struct graph_set *all = law->kinds ? &truth->within[bound] : &truth->graphs;
	struct run_options options = {.strategy = mz_strategy_name(way->strategy),
	                              .published = way->published,
	                              .no_sleep = !way->sleeps,
	                              .graphs = true,
	                              .bounded = law->kinds & MZ_BOUND_PREEMPTIONS,
	                              .preemptions = bound,
	                              .fair = law->kinds & MZ_BOUND_FAIR,
	                              .yields = law->yields};
	struct outcome o;
	run_search(script, &options, &o);
	uint64_t missing = count_missing(all, &o.graphs);
	struct sum *sum = sum_of(way);
	sum->graphs += all->count;
	sum->missing += missing;
	sum->executions += o.counts.executions;
	sum->redundant += o.counts.redundant;
	outcome_release(&o);
	return missing;
}

static void explore(const struct way *way, const struct script *script, const struct truth *truth)
{
	uint32_t bounds = laws[way->law].kinds & MZ_BOUND_PREEMPTIONS ? REFEREE_COSTS : 1;
	uint64_t missing = 0;
	for (uint32_t bound = 0; bound < bounds; bound++) missing += explore_within(way, script, truth, bound);
	sum_of(way)->programs++;
	sum_of(way)->wrong += missing > 0;
}

static void explore_law(size_t law, const struct script *script, const struct truth *truth, const char *name)
{
	struct way way = {.law = law};
	for (; mz_strategy_name(way.strategy); way.strategy++) {
		const char *asked = mz_strategy_name(way.strategy);
		const struct mz_strategy *published = mz_strategy_asked(asked, true);
		if (!published || mz_strategy_stateful(published) || (name && strcmp(name, asked) != 0)) continue;
		if (laws[law].kinds & ~mz_strategy_bounds(published)) continue;
		if (!mz_strategy_bounds(published) && truth->interleavings > MAX_INTERLEAVINGS) continue;
		for (unsigned n = 0; n < 4; n++) {
			way.published = n & 1;
			way.sleeps = n & 2;
			/* what misses graphs without sleep sets as well does not have the choice */
			if (!way.sleeps && mz_strategy_may_miss(published, 0, false)) continue;
			explore(&way, script, truth);
		}
	}
}

/* Returns whether the script of that seed is one to learn from. */
static bool explore_seed(uint64_t seed, const char *name)
{
	struct script script;
	struct truth truth;
	generate_for_bounds(&script, seed);
	bool good = referee_enumerate(&script, MAX_PREFIXES, &truth) && truth.graphs.count > 1;
	if (good) explore_law(0, &script, &truth, name);
	truth_release(&truth);
	for (size_t law = 1; law < LAWS && good; law++) {
		const struct referee_bound bound = {.preemptions = laws[law].kinds & MZ_BOUND_PREEMPTIONS,
		                                    .fair = laws[law].kinds & MZ_BOUND_FAIR,
		                                    .yields = laws[law].yields};
		if (referee_enumerate_bounded(&script, MAX_PREFIXES, &bound, &truth))
			explore_law(law, &script, &truth, name);
		truth_release(&truth);
	}
	script_release(&script);
	return good;
}

static void print(const struct way *way)
{
	const struct sum *sum = sum_of(way);
	if (!sum->programs) return;
	printf("%s\t%s\t%s\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n", mz_strategy_name(way->strategy),
	       way->published ? "published" : "ours", way->sleeps ? "sleep" : "no sleep", laws[way->law].name,
	       (unsigned long long)sum->programs, (unsigned long long)sum->wrong, (unsigned long long)sum->graphs,
	       (unsigned long long)sum->missing, (unsigned long long)sum->executions,
	       (unsigned long long)sum->redundant);
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 300;
	for (uint64_t done = 0; done < count; seed++) done += explore_seed(seed, argc > 3 ? argv[3] : NULL);
	struct way way = {0};
	for (way.strategy = 0; mz_strategy_name(way.strategy); way.strategy++)
		for (way.law = 0; way.law < LAWS; way.law++)
			for (unsigned n = 0; n < 4; n++) {
				way.published = n & 1;
				way.sleeps = n & 2;
				print(&way);
			}
	return 0;
}
