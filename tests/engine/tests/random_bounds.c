/* SPDX-License-Identifier: MIT
 *
 * engine_random_bounds [SEED [COUNT [NAME [WAYS [KIND]]]]]: COUNT random scripts of a kind (generate_of_kind()), or of
 * several by turns, explored within every bound by every strategy that can be bounded, or by those only whose name begins
 * with NAME, in the first so many WAYS of the table, or all (0); against exhaustive enumeration of what is within the bound.
 *
 * Exactly the graphs must be reached that some execution within the bound has, and as many local states (what happened
 * before a thread's last event, and that event) as dfs meets within it. What more each strategy promises is in the
 * table. Last a table of what it took.
 */
#include "engine/search.h"
#include "generate.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PREFIXES 4000
#define MAX_INTERLEAVINGS 20000

/* Which kinds of bounds, see enum mz_bound_kind; and how far ahead in yields, or how many preemptions,
 * delays or switches. */
struct law {
	const char *name;
	unsigned kinds;
	uint32_t yields;
};

static const struct law laws[] = {
    {"preemptions", MZ_BOUND_PREEMPTIONS, 0},
    {"fair 0", MZ_BOUND_FAIR, 0},
    {"fair 1", MZ_BOUND_FAIR, 1},
    {"fair 2", MZ_BOUND_FAIR, 2},
    {"preemptions, fair 0", MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR, 0},
    {"preemptions, fair 1", MZ_BOUND_PREEMPTIONS | MZ_BOUND_FAIR, 1},
    {"delays", MZ_BOUND_DELAYS, 0},
    {"delays, fair 1", MZ_BOUND_DELAYS | MZ_BOUND_FAIR, 1},
    {"switches", MZ_BOUND_SWITCHES, 0},
    {"switches, fair 0", MZ_BOUND_SWITCHES | MZ_BOUND_FAIR, 0},
    {"switches, fair 1", MZ_BOUND_SWITCHES | MZ_BOUND_FAIR, 1},
};
#define LAWS (sizeof laws / sizeof *laws)

struct contender {
	const char *strategy;
	bool published; /* as its source prints it */
	bool no_sleep;
	bool prefixes;
	bool raised; /* with what was learned within smaller bounds */
	unsigned no_opt;
	enum mz_order order;
	bool every;  /* it runs every interleaving within the bound, and nothing else */
	bool misses; /* it may miss graphs, and is not judged */
	bool once;   /* it never completes two equal executions */
	bool exact;  /* and nothing is redundant */
};

static const struct contender contenders[] = {
    {"dfs", .every = true},
    {"cbpor", .once = true, .exact = true},
    {"cbpor", .once = true, .prefixes = true},
    {"cbpor", .once = true, .exact = true, .raised = true},
    {"optimal", .once = true},
    {"bpor"},
    {"bpor", .no_sleep = true},
    {"bpor", .no_opt = MZ_OPT_TRANSITIVE},
    {"bpor", .no_opt = MZ_OPT_DISABLED},
    {"bpor", .no_opt = MZ_OPT_RELEASE},
    {"bpor", .no_opt = MZ_OPT_CONSERVATIVE},
    {"bpor", .no_opt = ~0u},
    {"bpor", .no_sleep = true, .published = true},
    {"bpor", .published = true, .misses = true}, /* for the checks of its postconditions */
    {"bpor", .order = MZ_ORDER_ROUND_ROBIN},
    {"bpor", .order = MZ_ORDER_CONFLICT_FIRST},
    {"bpor", .order = MZ_ORDER_RANDOM},
};
#define CONTENDERS (sizeof contenders / sizeof *contenders)

/* What came out, by law and bound. */
static struct sum {
	uint64_t graphs, executions, redundant;
} sums[CONTENDERS][LAWS][REFEREE_COSTS];

static const char *kind; /* NULL: by turns */

/* By bound, of the present script and law: how many local states dfs has met; 0 if it was not asked. */
static uint64_t local_states[REFEREE_COSTS];

struct trial {
	const struct script *script;
	uint64_t seed;
	size_t contender, law;
	uint32_t bound;
};

static bool report(const struct trial *trial, const char *what, uint64_t expected, uint64_t found)
{
	const struct contender *c = &contenders[trial->contender];
	fprintf(stderr, "seed %llu: %s %s%s, %s, bound %u, without %x: %s: expected %llu, found %llu\n",
	        (unsigned long long)trial->seed, c->strategy, mz_order_name(c->order),
	        c->no_sleep ? " without sleep sets" : "", laws[trial->law].name, trial->bound, c->no_opt, what,
	        (unsigned long long)expected, (unsigned long long)found);
	script_print(trial->script, stderr);
	return false;
}

static bool judge(const struct trial *trial, const struct truth *truth, const struct outcome *o)
{
	const struct contender *c = &contenders[trial->contender];
	const struct graph_set *within = &truth->within[trial->bound];
	uint64_t interleavings = truth->interleavings_within[trial->bound];
	if (o->failed || !o->complete) return report(trial, "does not end", within->count, o->counts.executions);
	if (!graph_sets_equal(&o->graphs, within)) return report(trial, "graphs", within->count, o->graphs.count);
	if (o->counts.traces != within->count) return report(trial, "traces", within->count, o->counts.traces);
	if (c->every) local_states[trial->bound] = o->counts.local_states;
	if (local_states[trial->bound] && o->counts.local_states != local_states[trial->bound])
		return report(trial, "local states", local_states[trial->bound], o->counts.local_states);
	if (c->every && o->counts.executions != interleavings)
		return report(trial, "interleavings", interleavings, o->counts.executions);
	/* when no switch is left, a thread that ends leaves nobody who may go on */
	bool stuck = laws[trial->law].kinds & MZ_BOUND_SWITCHES;
	if (c->every && !stuck && o->counts.redundant) return report(trial, "redundant", 0, o->counts.redundant);
	if (c->once && o->repeated) return report(trial, "repeated graphs", 0, o->repeated);
	if (c->exact && o->counts.redundant) return report(trial, "redundant", 0, o->counts.redundant);
	/* a bound that refused nothing leaves nothing out; there may be more to what it refused */
	if (!o->counts.refused && truth->graphs.count != within->count)
		return report(trial, "graphs where nothing was refused", truth->graphs.count, within->count);
	return true;
}

static bool try(const struct trial *trial, const struct truth *truth, uint64_t whim)
{
	const struct contender *c = &contenders[trial->contender];
	const struct law *law = &laws[trial->law];
	struct run_options options = {.strategy = c->strategy,
	                              .published = c->published,
	                              .count_traces = true,
	                              .count_local = true,
	                              .graphs = true,
	                              .whim = whim,
	                              .seed = trial->seed,
	                              .order = c->order,
	                              .no_sleep = c->no_sleep,
	                              .no_opt = c->no_opt,
	                              .prefixes = c->prefixes,
	                              .raised = c->raised,
	                              .bounded = law->kinds & MZ_BOUND_PREEMPTIONS,
	                              .preemptions = trial->bound,
	                              .fair = law->kinds & MZ_BOUND_FAIR,
	                              .yields = law->yields,
	                              .delayed = law->kinds & MZ_BOUND_DELAYS,
	                              .delays = trial->bound,
	                              .switched = law->kinds & MZ_BOUND_SWITCHES,
	                              .switches = trial->bound,
	                              .max_executions = 40 * truth->interleavings + 100000};
	struct outcome o;
	run_search(trial->script, &options, &o);
	bool right = c->misses ? o.complete : judge(trial, truth, &o);
	struct sum *sum = &sums[trial->contender][trial->law][trial->bound];
	sum->graphs += truth->within[trial->bound].count;
	sum->executions += o.counts.executions;
	sum->redundant += o.counts.redundant;
	outcome_release(&o);
	return right;
}

static bool try_contender(struct trial *trial, const struct truth *truth)
{
	const struct contender *c = &contenders[trial->contender];
	const struct law *law = &laws[trial->law];
	bool costs = law->kinds & ~(unsigned)MZ_BOUND_FAIR, right = true;
	const struct mz_strategy *method = mz_strategy_method(mz_strategy_asked(c->strategy, c->published), law->kinds);
	if (method && !c->misses && mz_strategy_may_miss(method, law->kinds, !c->no_sleep)) return true;
	if (!method || (c->once && !mz_strategy_exact(method))) return true;
	if (kind && strcmp(kind, "branching") == 0 && !mz_strategy_explores_inputs(method)) return true;
	for (trial->bound = 0; trial->bound < (costs ? REFEREE_COSTS : 1) && right; trial->bound++) {
		if (c->every && truth->interleavings_within[trial->bound] > MAX_INTERLEAVINGS) break;
		right = try(trial, truth, 0) && try(trial, truth, trial->seed | 1);
	}
	return right;
}

static bool try_law(struct trial *trial, const char *name, unsigned ways)
{
	const struct law *law = &laws[trial->law];
	struct truth truth;
	const struct referee_bound bound = {.preemptions = law->kinds & MZ_BOUND_PREEMPTIONS,
	                                    .delays = law->kinds & MZ_BOUND_DELAYS,
	                                    .switches = law->kinds & MZ_BOUND_SWITCHES,
	                                    .fair = law->kinds & MZ_BOUND_FAIR,
	                                    .yields = law->yields};
	bool right = true;
	memset(local_states, 0, sizeof local_states);
	if (referee_enumerate_bounded(trial->script, MAX_PREFIXES, &bound, &truth)) {
		for (trial->contender = 0; trial->contender < CONTENDERS && right && ways; trial->contender++) {
			if (strncmp(contenders[trial->contender].strategy, name, strlen(name)) != 0) continue;
			right = try_contender(trial, &truth);
			ways--;
		}
	}
	truth_release(&truth);
	return right;
}

/* 1: right, 0: wrong, -1: not a program to learn from. */
static int check_seed(uint64_t seed, const char *name, unsigned ways)
{
	struct script script;
	struct truth truth;
	if (kind)
		generate_of_kind(&script, kind, seed);
	else
		generate_for_bounds(&script, seed);
	int verdict = -1;
	if (referee_enumerate(&script, MAX_PREFIXES, &truth) && truth.graphs.count > 1) {
		struct trial trial = {.script = &script, .seed = seed};
		verdict = 1;
		for (trial.law = 0; trial.law < LAWS && verdict == 1; trial.law++)
			verdict = try_law(&trial, name, ways);
	}
	truth_release(&truth);
	script_release(&script);
	return verdict;
}

static void print_row(const struct contender *c, const struct law *law, const struct sum *row)
{
	printf("%-7s %-13s %-9s %2x  %-20s", c->strategy, mz_order_name(c->order),
	       c->published  ? "published"
	       : c->no_sleep ? "no sleep"
	       : c->prefixes ? "prefixes"
	       : c->raised   ? "raised"
	                     : "",
	       c->no_opt, law->name);
	for (unsigned bound = 0; bound < REFEREE_COSTS; bound++) {
		double graphs = (double)row[bound].graphs;
		if (!row[bound].graphs && row[REFEREE_COSTS - 1].graphs) printf("  -");
		if (row[bound].graphs)
			printf("  %.2f+%.2f", (double)row[bound].executions / graphs,
			       (double)row[bound].redundant / graphs);
	}
	puts("");
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 150;
	const char *name = argc > 3 ? argv[3] : "";
	unsigned ways = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : 0;
	if (ways == 0) ways = CONTENDERS;
	if (argc > 5) kind = argv[5];
	uint64_t done = 0, wrong = 0, first = seed;
	for (; done < count; seed++) {
		int verdict = check_seed(seed, name, ways);
		done += verdict >= 0;
		wrong += verdict == 0;
	}
	puts("for each bound: executions + redundant ones, per graph within it");
	for (size_t c = 0; c < CONTENDERS; c++) {
		for (size_t law = 0; law < LAWS; law++) {
			if (sums[c][law][0].graphs || sums[c][law][REFEREE_COSTS - 1].graphs)
				print_row(&contenders[c], &laws[law], sums[c][law]);
		}
	}
	printf("%llu programs from seed %llu on: %llu wrong\n", (unsigned long long)done, (unsigned long long)first,
	       (unsigned long long)wrong);
	return wrong > 0;
}
