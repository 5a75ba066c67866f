/* SPDX-License-Identifier: MIT
 *
 * bench_first_bug: how many executions, complete or given up, each strategy and order takes to the first bug in a few
 * scripts; and how many it takes in all. For strategies that sample, the mean over SEEDS seeds. The tables of
 * docs/STRATEGIES.md are its output.
 */
#include "build.h"
#include "harness.h"

#define MAX_RUNS 20000
#define SEEDS 50

struct program {
	const char *name;
	void (*build)(struct script *script);
	bool (*is_bug)(void *looker, const struct machine *machine, enum mz_end end);
};

/* All threads read before any writes, so that two of three increments are lost. */
static void lost_update(struct script *s)
{
	script_init(s, 3, 1, 0, 0);
	for (uint32_t t = 0; t < 3; t++) {
		add(s, t, LOAD(0));
		for (uint32_t v = 0; v < 3; v++) {
			add(s, t, UNLESS(v, 1));
			add(s, t, STORE(0, v + 1));
		}
	}
}

static bool lost_two(void *looker, const struct machine *machine, enum mz_end end)
{
	(void)looker;
	(void)end;
	return machine->words[0] == 1;
}

static void philosophers(struct script *s)
{
	script_init(s, 4, 0, 4, 0);
	for (uint32_t t = 0; t < 4; t++) {
		add(s, t, LOCK(t));
		add(s, t, LOCK((t + 1) % 4));
		add(s, t, UNLOCK((t + 1) % 4));
		add(s, t, UNLOCK(t));
	}
}

static bool deadlock(void *looker, const struct machine *machine, enum mz_end end)
{
	(void)looker;
	(void)machine;
	return end == MZ_END_DEADLOCK;
}

/* lastzero(7), with the claim that the search never gets down to the first element. */
static void lastzero(struct script *s)
{
	uint32_t n = 7;
	script_init(s, n + 1, n + 2, 0, 0);
	for (uint32_t i = n; i > 0; i--) {
		add(s, 0, LOAD(i));
		add(s, 0, UNLESS(1, 2 * i - 1));
	}
	add(s, 0, STORE(n + 1, 1));
	for (uint32_t t = 1; t <= n; t++) {
		add(s, t, LOAD(t - 1));
		add(s, t, STORE(t, 1));
	}
}

static bool got_down(void *looker, const struct machine *machine, enum mz_end end)
{
	(void)looker;
	(void)end;
	return machine->words[8] == 1;
}

/* Thread 0 takes the top of a stack, A, by a compare-exchange that succeeds although thread 1 has taken A, taken B, and
 * put A back meanwhile. Two more threads count. */
static void aba(struct script *s)
{
	script_init(s, 4, 5, 0, 0);
	add(s, 0, LOAD(2));
	add(s, 0, UNLESS(0, 6));
	add(s, 0, LOAD(0));
	add(s, 0, CAS(0, 0, 1));
	add(s, 0, UNLESS(1, 3));
	add(s, 0, LOAD(2));
	add(s, 0, UNLESS(1, 1));
	add(s, 0, STORE(3, 1));
	add(s, 1, CAS(0, 0, 1));
	add(s, 1, CAS(0, 1, 2));
	add(s, 1, CAS(0, 2, 0));
	add(s, 1, STORE(2, 1));
	add(s, 2, ADD(4, 1));
	add(s, 2, ADD(4, 1));
	add(s, 3, ADD(4, 1));
	add(s, 3, ADD(4, 1));
}

static bool taken_twice(void *looker, const struct machine *machine, enum mz_end end)
{
	(void)looker;
	(void)end;
	return machine->words[3] == 1;
}

static const struct program programs[] = {
    {"lost update (3)", lost_update, lost_two},
    {"philosophers (4)", philosophers, deadlock},
    {"lastzero (7)", lastzero, got_down},
    {"ABA", aba, taken_twice},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

static uint64_t runs_of(const struct program *program, struct run_options *options, bool *ended)
{
	struct script s;
	struct outcome o;
	program->build(&s);
	options->max_executions = MAX_RUNS;
	run_search(&s, options, &o);
	uint64_t runs = o.counts.executions + o.counts.redundant;
	*ended = runs < MAX_RUNS;
	outcome_release(&o);
	script_release(&s);
	return runs;
}

static void print_row(const char *strategy, enum mz_order order, bool no_sleep)
{
	printf("| `%s`%s | %s |", strategy, no_sleep ? ", no sleep sets" : "", mz_order_name(order));
	for (size_t n = 0; n < PROGRAMS; n++) {
		struct run_options options = {.strategy = strategy, .order = order, .no_sleep = no_sleep};
		bool found, ended;
		uint64_t all = runs_of(&programs[n], &options, &ended);
		options.look = programs[n].is_bug;
		uint64_t first = runs_of(&programs[n], &options, &found);
		printf(" %s%llu of %s%llu |", found ? "" : "> ", (unsigned long long)first, ended ? "" : "> ",
		       (unsigned long long)all);
	}
	printf("\n");
}

static void print_sampled(const char *strategy)
{
	printf("| `%s` | |", strategy);
	for (size_t n = 0; n < PROGRAMS; n++) {
		uint64_t sum = 0;
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct run_options options = {.strategy = strategy, .seed = seed, .look = programs[n].is_bug};
			bool found;
			sum += runs_of(&programs[n], &options, &found);
		}
		printf(" %.1f |", (double)sum / SEEDS);
	}
	printf("\n");
}

int main(void)
{
	static const char *const ordered[] = {"optimal", "source", "dpor-cr", "dpor", NULL};
	static const char *const sampling[] = {"random", "pct", "pos", NULL};
	printf("| strategy | order |");
	for (size_t n = 0; n < PROGRAMS; n++) printf(" %s |", programs[n].name);
	printf("\n| --- | --- |");
	for (size_t n = 0; n < PROGRAMS; n++) printf(" --- |");
	printf("\n");
	for (const char *const *name = ordered; *name; name++) {
		for (unsigned order = 0; order < MZ_ORDER_COUNT; order++) print_row(*name, (enum mz_order)order, false);
	}
	print_row("dpor-cr", MZ_ORDER_DFS, true);
	print_row("dpor", MZ_ORDER_DFS, true);
	print_row("dfs", MZ_ORDER_DFS, false);
	for (const char *const *name = sampling; *name; name++) print_sampled(*name);
	return 0;
}
