/* SPDX-License-Identifier: MIT
 *
 * engine_random_cartesian [SEED [COUNT]]: COUNT random scripts, most of them without an end, searched by cartesian
 * vectors, by all states, and by brute force.
 *
 *   - each vector is one by definition: nothing but last steps of two prefixes conflicts, what is called infinite is;
 *   - the local states of all threads in all prefixes are those of all states;
 *   - assertions that can fail, races, whether there is a deadlock, whether what has to hold is violated: the same;
 *   - every schedule that is handed out can be executed, and shows something at its end;
 *   - `states` has as many states and transitions as there are.
 */
#include "engine/stateful/cartesian.h"
#include "everything.h"
#include "explorer/states.h"
#include "generate.h"
#include <stdlib.h>
#include <string.h>

#define MAX_STATES 3000
#define MAX_STEPS 100000
#define MEMORY ((size_t)16 << 20)
#define THREADS 8
#define LENGTH 4096

struct prefix {
	uint32_t thread, steps, ways;
	bool infinite;
};

struct judge {
	const struct script *script;
	struct machine machine;
	struct mz_frontier frontier;
	struct words locals, failures, races;
	uint64_t deadlocks, violations;
	uint32_t state; /* whose prefixes come */
	struct prefix prefixes[THREADS];
	size_t nprefixes;
	struct mz_step *schedule;
	const char *wrong;
};

static void object(struct judge *j, const char *what)
{
	if (!j->wrong) j->wrong = what;
}

/* --- witnesses --- */

static bool is_possible(struct machine *m, struct mz_step step)
{
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits;
	if (step.thread >= m->script->nthreads) return false;
	enum mz_halt halt = stateful_halt(m, step.thread, waits, &nwaits);
	if (halt != MZ_HALT_ENOUGH && halt != MZ_HALT_CHOICE) return false;
	return step.choice < m->view.pending[step.thread].alternatives;
}

static bool is_deadlock(struct machine *m)
{
	machine_look(m);
	return !machine_any_enabled(m) && !machine_all_done(m);
}

/* Whether both steps are possible now, and race. */
static bool is_race(struct judge *j, const struct mz_step steps[2])
{
	struct machine *m = &j->machine;
	struct footprint footprints[2];
	size_t before = j->races.count;
	uint64_t *state = malloc(machine_size(j->script) * sizeof *state);
	if (!state) abort();
	machine_store(m, state);
	bool both = steps[0].thread != steps[1].thread && is_possible(m, steps[0]) && is_possible(m, steps[1]);
	for (unsigned n = 0; both && n < 2; n++) {
		struct mz_access accesses[MACHINE_ACCESSES + 1];
		struct mz_stride stride;
		stateful_step(m, steps[n], accesses, &stride);
		footprints[n] = footprint_of(&stride);
		machine_load(m, state);
	}
	if (both) footprints_race(&footprints[0], &footprints[1], &j->races);
	free(state);
	return j->races.count > before;
}

static void see(void *self, const struct mz_step *schedule, uint32_t steps)
{
	struct judge *j = self;
	struct machine *m = &j->machine;
	struct mz_access reads[2];
	size_t nreads;
	bool shown = false;
	machine_restart(m);
	for (uint32_t n = 0; n < steps && !m->failed; n++) {
		struct mz_access accesses[MACHINE_ACCESSES + 1];
		struct mz_stride stride;
		if (n + 2 == steps) shown |= is_race(j, schedule + n);
		if (!is_possible(m, schedule[n])) {
			object(j, "a schedule cannot be executed");
			return;
		}
		stateful_step(m, schedule[n], accesses, &stride);
		if (m->failed && n + 1 < steps && !shown) object(j, "a schedule goes on after its end");
	}
	if (m->failed) {
		words_add(&j->failures, (uint64_t)m->failed_thread << 32 | m->failed_pc);
		return;
	}
	bool deadlock = is_deadlock(m), violation = !machine_holds(m, reads, &nreads);
	j->deadlocks += deadlock;
	j->violations += violation;
	if (!shown && !deadlock && !violation) object(j, "a schedule shows nothing");
}

/* --- vectors --- */

struct solo {
	struct footprint *steps;
	size_t count;
	bool infinite;
};

static void go_to(struct judge *j, uint32_t state)
{
	uint32_t depth = j->frontier.depth(j->frontier.self, state);
	mz_cartesian_path(&j->frontier, state, j->schedule);
	machine_restart(&j->machine);
	for (uint32_t n = 0; n < depth; n++) {
		struct mz_access accesses[MACHINE_ACCESSES + 1];
		if (!is_possible(&j->machine, j->schedule[n])) object(j, "a path cannot be followed");
		machine_step(&j->machine, j->schedule[n], accesses);
	}
}

static void take_step(struct judge *j, struct solo *solo, uint32_t thread, uint32_t choice)
{
	struct mz_access accesses[MACHINE_ACCESSES + 1];
	struct mz_stride stride;
	if (!is_possible(&j->machine, (struct mz_step){thread, choice})) {
		object(j, "a prefix cannot be executed");
		return;
	}
	stateful_step(&j->machine, (struct mz_step){thread, choice}, accesses, &stride);
	solo->steps[solo->count++] = footprint_of(&stride);
	if (!j->machine.failed) words_add(&j->locals, machine_local(&j->machine, thread));
}

/* A step that reads what it waits for. */
static bool take_idle(struct judge *j, struct solo *solo, uint32_t thread)
{
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits;
	enum mz_halt halt = stateful_halt(&j->machine, thread, waits, &nwaits);
	if (halt != MZ_HALT_BLOCKED && halt != MZ_HALT_OVER) return false;
	struct footprint *idle = &solo->steps[solo->count++];
	*idle = (struct footprint){.visible = nwaits, .count = nwaits};
	if (nwaits) memcpy(idle->accesses, waits, nwaits * sizeof *waits);
	return true;
}

static bool is_among(const uint64_t *states, size_t count, const uint64_t *state, size_t width)
{
	for (size_t n = 0; n < count; n++) {
		if (memcmp(states + n * width, state, width * sizeof *state) == 0) return true;
	}
	return false;
}

/* The steps of a prefix, executed again from the state that `home` is. Alternatives of the last one are steps of their
 * own that come last. */
static void perform(struct judge *j, const uint64_t *home, const struct prefix *p, struct solo *solo, size_t *lasts)
{
	size_t width = machine_size(j->script);
	uint64_t *states = malloc((p->steps + 2) * width * sizeof *states), *before = states;
	solo->steps = calloc(p->steps + p->ways + 2, sizeof *solo->steps);
	if (!states || !solo->steps) abort();
	solo->infinite = p->infinite;
	machine_load(&j->machine, home);
	memcpy(states, home, width * sizeof *home);
	for (uint32_t n = 0; n + 1 < p->steps; n++) {
		take_step(j, solo, p->thread, 0);
		machine_store(&j->machine, before += width);
	}
	for (uint32_t choice = 0; p->steps && choice < p->ways; choice++) {
		machine_load(&j->machine, before);
		take_step(j, solo, p->thread, choice);
	}
	*lasts = p->steps ? p->ways : 1;
	machine_store(&j->machine, before + width);
	bool fails = j->machine.failed;
	bool idles = (p->infinite || p->steps == 0) && !fails && take_idle(j, solo, p->thread);
	if (p->infinite && !idles && !is_among(states, p->steps, before + width, width))
		object(j, "an infinite prefix is none");
	if (idles) {
		solo->infinite = false;
		*lasts = 1;
	}
	free(states);
}

/* Conflicts are only of last steps, of finite prefixes; `lasts` how many of the steps are last. */
static void compare_solos(struct judge *j, const struct solo *a, size_t a_lasts, const struct solo *b, size_t b_lasts)
{
	for (size_t n = 0; n < a->count; n++) {
		for (size_t k = 0; k < b->count; k++) {
			if (!footprints_conflict(&a->steps[n], &b->steps[k])) continue;
			if (a->infinite || b->infinite)
				object(j, "an infinite prefix is met");
			else if (n + a_lasts < a->count || k + b_lasts < b->count)
				object(j, "a prefix is met before its last step");
		}
	}
}

/* The thread that looks whether what has to hold does: met by last steps only. */
static void compare_observer(struct judge *j, const struct solo *solo, size_t lasts, const struct footprint *observer)
{
	for (size_t n = 0; n < solo->count; n++) {
		if (!footprints_conflict(&solo->steps[n], observer)) continue;
		if (solo->infinite || n + lasts < solo->count) object(j, "what has to hold is changed on the way");
	}
}

static void judge_vector(struct judge *j)
{
	struct solo solos[THREADS] = {0};
	size_t lasts[THREADS];
	struct footprint observer = {0};
	struct mz_access reads[2];
	uint64_t *home = malloc(machine_size(j->script) * sizeof *home);
	if (!home) abort();
	go_to(j, j->state);
	machine_store(&j->machine, home);
	machine_holds(&j->machine, reads, &observer.count);
	observer.visible = observer.count;
	memcpy(observer.accesses, reads, observer.count * sizeof *reads);
	for (uint32_t t = 0; t < j->script->nthreads; t++) words_add(&j->locals, machine_local(&j->machine, t));
	for (size_t n = 0; n < j->nprefixes; n++) {
		perform(j, home, &j->prefixes[n], &solos[n], &lasts[n]);
		compare_observer(j, &solos[n], lasts[n], &observer);
		for (size_t k = 0; k < n; k++) compare_solos(j, &solos[n], lasts[n], &solos[k], lasts[k]);
	}
	for (size_t n = 0; n < j->nprefixes; n++) free(solos[n].steps);
	free(home);
	j->nprefixes = 0;
}

static void note_prefix(void *self, uint32_t state, uint32_t thread, uint32_t steps, uint32_t ways, bool infinite)
{
	struct judge *j = self;
	if (j->nprefixes && state != j->state) abort();
	j->state = state;
	j->prefixes[j->nprefixes++] = (struct prefix){thread, steps, ways, infinite};
	if (j->nprefixes == j->script->nthreads) judge_vector(j);
}

/* --- searches --- */

struct mode {
	const char *name;
	bool minimal, cheap, exact, once, as_published;
	size_t max_kept, most;
};

static const struct mode modes[] = {
    {"cartesian", .cheap = true, .exact = true},
    {"cartesian with keys that are dear", .cheap = false},
    {"cartesian as published", .cheap = true, .as_published = true},
    {"cartesian with few states kept", .cheap = true, .max_kept = 2},
    {"cartesian with little memory", .cheap = false, .most = 24, .exact = true},
    {"cartesian to the first finding", .cheap = true, .once = true},
    {"states", .minimal = true, .cheap = true},
    {"states with keys that are dear", .minimal = true, .exact = true},
    {"states to the first finding", .minimal = true, .once = true},
};

static uint64_t states_in_all, reduced_in_all, steps_in_all, transitions_in_all;

static void judge_counts(struct judge *j, const struct mode *mode, const struct everything *all,
                         struct mz_cartesian_counts counts, size_t known)
{
	if (counts.cut) object(j, "cut");
	if (counts.states != known) object(j, "states that were not looked at");
	if (!mode->minimal) {
		if (counts.states > all->states) object(j, "more states than there are");
		return;
	}
	if (counts.states != all->states) object(j, "states");
	if (counts.steps != all->transitions) object(j, "transitions");
}

static void judge_findings(struct judge *j, const struct everything *all)
{
	words_sort(&j->locals);
	words_sort(&j->failures);
	words_sort(&j->races);
	if (!words_equal(&j->locals, &all->locals)) object(j, "local states");
	if (!words_equal(&j->failures, &all->failures)) object(j, "failures");
	if (!words_equal(&j->races, &all->races)) object(j, "races");
	if ((j->deadlocks > 0) != (all->deadlocks > 0)) object(j, "deadlocks");
	if ((j->violations > 0) != (all->violations > 0)) object(j, "what has to hold");
}

static void search(struct judge *j, const struct mode *mode, const struct everything *all)
{
	struct stateful_script script;
	struct mz_states_memory memory;
	stateful_script_init(&script, j->script);
	script.witness = j;
	script.see = see;
	script.most = mode->most;
	if (mz_states_open(&memory, MEMORY, 0, mode->exact) != 0) abort();
	struct mz_states_user user = {.states = memory.states};
	struct mz_stateful program = stateful_script_program(&script, mode->cheap);
	j->frontier = mz_states_frontier(&user);
	struct mz_cartesian_options options = {.program = &program,
	                                       .frontier = &j->frontier,
	                                       .minimal = mode->minimal,
	                                       .as_published = mode->as_published,
	                                       .races = true,
	                                       .keep_going = !mode->once,
	                                       .max_steps = MAX_STEPS,
	                                       .max_kept = mode->max_kept,
	                                       .prefix = mode->once ? NULL : note_prefix,
	                                       .watcher = j};
	struct mz_cartesian *c = mz_cartesian_new(&options);
	enum mz_cartesian_end end = mz_cartesian_run(c);
	struct mz_cartesian_counts counts = mz_cartesian_counts(c);
	bool anything = all->failures.count || all->races.count || all->deadlocks || all->violations;
	if (end != (mode->once && anything ? MZ_CARTESIAN_FOUND : MZ_CARTESIAN_DONE)) object(j, "end");
	if (mode->once && counts.found != anything) object(j, "found");
	if (!mode->once) {
		judge_counts(j, mode, all, counts, mz_states_counts(memory.states).states);
		judge_findings(j, all);
	}
	mz_cartesian_free(c);
	if (script.in_use) object(j, "states that were not dropped");
	if (mode == modes) {
		reduced_in_all += counts.states;
		steps_in_all += counts.steps;
	}
	mz_states_user_release(&user);
	mz_states_close(&memory);
	stateful_script_release(&script);
}

static bool check_mode(const struct script *script, uint64_t seed, const struct mode *mode,
                       const struct everything *all)
{
	struct judge j = {.script = script};
	j.schedule = malloc(MAX_STEPS * sizeof *j.schedule);
	if (!j.schedule) abort();
	machine_init(&j.machine, script);
	search(&j, mode, all);
	if (j.wrong) {
		fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)seed, mode->name, j.wrong);
		script_print(script, stderr);
	}
	words_release(&j.locals);
	words_release(&j.failures);
	words_release(&j.races);
	machine_release(&j.machine);
	free(j.schedule);
	return !j.wrong;
}

static unsigned deadlocking, failing, racing, violating, choosing, waiting;

/* 1: right, 0: wrong, -1: not a program to learn from. */
static int check_seed(uint64_t seed)
{
	struct script script;
	struct everything all;
	generate_cyclic(&script, seed);
	int verdict = -1;
	if (everything_find(&script, MAX_STATES, &all) && all.states > 4) {
		verdict = 1;
		for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
			verdict &= check_mode(&script, seed, &modes[n], &all);
		deadlocking += all.deadlocks > 0;
		failing += all.failures.count > 0;
		racing += all.races.count > 0;
		violating += all.violations > 0;
		choosing += all.choices > 0;
		waiting += all.waits > 0;
		states_in_all += all.states;
		transitions_in_all += all.transitions;
	}
	everything_release(&all);
	script_release(&script);
	return verdict;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 300;
	uint64_t done = 0, wrong = 0;
	for (; done < count; seed++) {
		int verdict = check_seed(seed);
		done += verdict >= 0;
		wrong += verdict == 0;
	}
	printf("%llu programs: %u can deadlock, %u fail, %u race, %u violate what has to hold, %u choose, %u wait\n",
	       (unsigned long long)done, deadlocking, failing, racing, violating, choosing, waiting);
	printf("%llu states of %llu, %llu transitions of %llu: %llu wrong\n", (unsigned long long)reduced_in_all,
	       (unsigned long long)states_in_all, (unsigned long long)steps_in_all,
	       (unsigned long long)transitions_in_all, (unsigned long long)wrong);
	return wrong > 0;
}
