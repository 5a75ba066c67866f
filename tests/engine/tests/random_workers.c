/* SPDX-License-Identifier: MIT
 *
 * engine_random_workers [SEED [COUNT [KIND [NAME]]]]: COUNT random scripts of a kind (spinning, sharing, polling, branching,
 * sections, waiting, meeting, or none), each explored by several workers that share a trunk, in one process, by the strategy NAME, `optimal` if none is
 * given, or by all in turn (`all`). Who makes the next step, when parts are given up, and which worker is lost with what it
 * has not settled yet, also in the middle of an execution, is random.
 *
 * Against exhaustive enumeration: every graph must be reached, whatever the order, or every one within the bounds. What more
 * each strategy promises is in the table.
 */
#include "base/keyset.h"
#include "engine/backtracking/trunk.h"
#include "generate.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PREFIXES 6000
#define MAX_WORKERS 8
#define MAX_EXECUTIONS 4000 /* of one worker, redundant ones included */
#define WAYS 3

struct contender {
	const char *name;
	const char *strategy;
	bool no_sleep;
	bool exact;   /* is never stuck because everything sleeps */
	bool once;    /* never completes two equal executions */
	bool alike;   /* several workers make as many executions as one */
	bool every;   /* makes every interleaving, once */
	bool within;  /* the same within bounds */
	bool reaches; /* completes exactly the graphs within bounds */
	bool closes;  /* shares which graphs are closed; bounds are on preemptions only */
	bool samples; /* makes the executions that one worker makes, as many as it is asked for */
};

static const struct contender contenders[] = {
    {"optimal", "optimal", .exact = true, .once = true},
    {"source", "source", .once = true},
    {"dpor-cr", "dpor-cr", .once = true},
    {"dpor", "dpor", .alike = true},
    {"bpor", "bpor", .once = true},
    {"dpor-cr/no-sleep", "dpor-cr", .no_sleep = true, .exact = true},
    {"dpor/no-sleep", "dpor", .no_sleep = true, .exact = true},
    {"bpor/no-sleep", "bpor", .no_sleep = true, .exact = true},
    {"bpor/bounds", "bpor", .reaches = true},
    {"bpor/bounds/no-sleep", "bpor", .no_sleep = true, .reaches = true, .exact = true},
    {"cbpor", "cbpor", .closes = true},
    {"cbpor/bounds", "cbpor", .closes = true, .reaches = true},
    {"dfs", "dfs", .exact = true, .every = true},
    {"dfs/bounds", "dfs", .exact = true, .alike = true, .within = true},
    {"random", "random", .exact = true, .samples = true},
    {"pct", "pct", .exact = true, .samples = true},
    {"pos", "pos", .exact = true, .samples = true},
};
#define CONTENDERS (sizeof contenders / sizeof *contenders)

static const char *kind = "";
static const struct contender *now;
static uint64_t graphs, executions, redundant, redundant_alone, losses, restarts;

/* The bounds of the contenders that are to reach what is within. */
static const struct referee_bound laws[] = {
    {.preemptions = true},
    {.fair = true},
    {.preemptions = true},
    {.fair = true, .yields = 1},
    {.preemptions = true, .fair = true},
    {.preemptions = true},
    {.preemptions = true, .fair = true, .yields = 1},
};
#define LAWS (sizeof laws / sizeof *laws)

static const struct referee_bound *law_of(uint64_t seed)
{
	return &laws[now->closes ? 0 : seed % LAWS];
}

static uint32_t bound_of(uint64_t seed)
{
	return law_of(seed)->preemptions ? (uint32_t)(seed / LAWS % REFEREE_COSTS) : 0;
}

struct worker {
	struct mz_search *search;
	struct script_executor executor;
	struct graph graph;
	struct mz_step *schedule;
	struct mz_trunk_worker trunk;
	struct crew *crew;
	bool busy;             /* in the middle of an execution */
	bool doomed;           /* lost in the middle of it */
	struct graph_set made; /* the graphs of its executions, in order */
	uint64_t deadlocks;
	struct mz_trunk_counts settled, next;
	uint32_t generation;   /* of the crew, when the worker began */
	struct mz_key *closed; /* graphs that the worker has closed, and not told the others of */
	size_t nclosed;
};

struct crew {
	const struct script *script;
	struct mz_trunk trunk;
	struct worker workers[MAX_WORKERS];
	uint32_t n;
	uint64_t seed;
	bool alone;        /* its one worker shares nothing */
	uint64_t samples;  /* how many are asked for */
	uint32_t restless; /* one in so many steps is interrupted by another worker; 0: none is */
	bool perilous;     /* workers may be lost */
	uint64_t random;
	uint32_t generation; /* how often the workers have begun anew */
	struct graph_set found;
	struct mz_keyset closed;
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

/* ---- graphs that are closed ---- */

static bool is_closed(void *self, struct mz_key graph)
{
	return mz_keyset_has(&((struct worker *)self)->crew->closed, graph);
}

static bool close_graph(void *self, struct mz_key graph)
{
	struct worker *worker = self;
	worker->closed = realloc(worker->closed, (worker->nclosed + 1) * sizeof *worker->closed);
	worker->closed[worker->nclosed++] = graph;
	return true;
}

/* Tells the others what the worker has closed; what it has executed counts from then on. */
static void tell(struct worker *worker)
{
	if (!now->closes) return;
	worker->crew->trunk.root.refused |= worker->trunk.refused;
	worker->next = count(worker);
	settled(worker);
	for (size_t n = 0; n < worker->nclosed; n++) {
		bool added;
		mz_keyset_add(&worker->crew->closed, worker->closed[n], &added);
	}
	worker->nclosed = 0;
}

/* It is told when the execution is among those that were made, see work(). */
static bool tell_closed(void *self)
{
	(void)self;
	return true;
}

static void lock(void *self)
{
	struct worker *worker = self;
	worker->trunk.outdated = worker->generation != worker->crew->generation;
	if (!worker->trunk.outdated) tell(worker);
}

/* Sets the bounds of a contender that is to reach what is within. */
static void bound(struct mz_search_options *options, uint64_t seed)
{
	options->bounded = law_of(seed)->preemptions;
	options->preemptions = bound_of(seed);
	options->fair = law_of(seed)->fair;
	options->yields = law_of(seed)->yields;
}

static void worker_init(struct crew *crew, uint32_t number)
{
	struct worker *worker = &crew->workers[number];
	struct mz_search_options options = {.strategy = mz_strategy_find(now->strategy),
	                                    .no_sleep = now->no_sleep,
	                                    .order = (enum mz_order)below(crew, MZ_ORDER_COUNT),
	                                    .bounded = now->within,
	                                    .preemptions = crew->seed % 3,
	                                    .fair = now->within && crew->seed % 2,
	                                    .delayed = now->within && crew->seed % 5 == 0,
	                                    .delays = crew->seed % 4,
	                                    .seed = crew->samples,
	                                    .max_executions = crew->samples,
	                                    .trunk = crew->alone ? NULL : &worker->trunk};
	if (now->reaches) bound(&options, crew->seed);
	worker->crew = crew;
	worker->generation = crew->generation;
	worker->trunk = (struct mz_trunk_worker){.trunk = &crew->trunk,
	                                         .number = number,
	                                         .self = worker,
	                                         .collects = strcmp(kind, "branching") != 0,
	                                         .lock = lock,
	                                         .count = count,
	                                         .settle = settle,
	                                         .settled = settled,
	                                         .is_closed = is_closed,
	                                         .close = close_graph,
	                                         .tell_closed = tell_closed};
	worker->search = mz_search_new(&options);
	script_executor_init(&worker->executor, crew->script, 10000);
	graph_init(&worker->graph, crew->script->nthreads);
	harness_watch(&worker->executor, &worker->graph);
	worker->executor.whim = below(crew, 2) && !now->samples && !now->within ? crew->random | 1 : 0;
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
	free(worker->closed);
	*worker = (struct worker){0};
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
	mz_trunk_lose(&worker->trunk, number);
	losses++;
}

/* A worker leaves its part to others, and a new one takes its place. All that it has explored counts. */
static void leave(struct crew *crew, uint32_t number)
{
	struct worker *worker = &crew->workers[number];
	mz_search_leave(worker->search);
	if (!worker->trunk.works) crew->forgotten += worker->made.count - worker->settled.executions;
	lose(crew, number);
}

/* Forgets all that was explored, because a worker has seen that threads spin. */
static void begin_anew(struct crew *crew)
{
	crew->trunk = (struct mz_trunk){.spins = 1};
	crew->generation++;
	graph_set_release(&crew->found);
	crew->found = (struct graph_set){0};
	mz_keyset_release(&crew->closed);
	crew->deadlocks = 0;
	restarts++;
}

static void work(struct crew *crew, uint32_t number);

/* Chooses a step; before that another worker may make an execution, or this one may be lost. */
static struct mz_step choose(void *self, const struct mz_view *view)
{
	struct worker *worker = self;
	struct crew *crew = worker->crew;
	if (crew->restless && below(crew, crew->restless) == 0) work(crew, below(crew, crew->n));
	worker->doomed = crew->perilous && below(crew, 1000) == 0;
	if (worker->doomed) return (struct mz_step){MZ_NO_THREAD, 0};
	return mz_search_choose(worker->search, view);
}

static void observe(void *self, const struct mz_event *event)
{
	mz_search_observe(((struct worker *)self)->search, event);
}

static void order(void *self, uint32_t before, uint32_t after)
{
	mz_search_order(((struct worker *)self)->search, before, after);
}

/* Returns the graph of the execution that a worker has made, or its schedule, where that matters. */
static struct graph_key made(const struct worker *worker)
{
	struct graph_key key = {1, 2};
	if (!now->every && !now->samples && !now->within) return worker->graph.key;
	for (uint32_t n = 0; n < worker->executor.nsteps; n++) {
		key.a = (key.a ^ worker->schedule[n].thread) * 0x100000001b3ULL;
		key.b = (key.b + worker->schedule[n].choice + 1 + key.a) * 0x9e3779b97f4a7c15ULL;
	}
	return key;
}

/* One execution of a worker, if there is one for it. */
static void work(struct crew *crew, uint32_t number)
{
	struct worker *worker = &crew->workers[number];
	const struct mz_driver driver = {worker, choose, observe, order};
	struct mz_view view;
	uint32_t known;
	if (worker->busy) return;
	if (worker->generation != crew->generation) lose(crew, number);
	if (!mz_search_next(worker->search, &known)) {
		if (worker->trunk.spins && !crew->trunk.spins) begin_anew(crew);
		return;
	}
	worker->busy = true;
	enum mz_end end = script_executor_run(&worker->executor, worker->schedule, known, &driver, &view);
	worker->busy = false;
	if (worker->doomed) {
		lose(crew, number);
		return;
	}
	mz_search_end(worker->search, &view, end == MZ_END_STEPS);
	worker->deadlocks += end == MZ_END_DEADLOCK;
	if (end == MZ_END_DEADLOCK || end == MZ_END_FINISHED) graph_set_add(&worker->made, made(worker));
	if (now->closes && below(crew, 1 + crew->restless % 4) == 0)
		tell(worker); /* sometimes late, as on several machines */
}

static void explore(struct crew *crew, uint64_t most)
{
	uint32_t generosity = 1U << below(crew, 6);
	crew->perilous = below(crew, 2);
	crew->restless = strcmp(kind, "branching") == 0 || below(crew, 3) == 0 ? 0 : 2 + below(crew, 30);
	for (uint32_t n = 0; n < crew->n; n++) worker_init(crew, n);
	for (uint64_t turns = 0; !mz_trunk_is_done(&crew->trunk) && turns < most; turns++) {
		struct mz_trunk *trunk = &crew->trunk;
		trunk->wanted = below(crew, generosity) == 0;
		uint32_t number = below(crew, crew->n);
		work(crew, number);
		if (crew->perilous && below(crew, 20) == 0) leave(crew, number);
		if (crew->perilous && below(crew, 20) == 0) lose(crew, number);
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
	fprintf(stderr, "%s, seed %llu, way %llu: %s: expected %llu, found %llu\n", now->name, (unsigned long long)seed,
	        (unsigned long long)way, what, (unsigned long long)expected, (unsigned long long)found);
	script_print(script, stderr);
	return false;
}

/* Returns how many executions one worker makes, or MAX_EXECUTIONS if there are more. */
static uint64_t alone(const struct script *script, uint64_t seed)
{
	struct outcome outcome;
	const struct referee_bound *law = law_of(seed);
	const struct run_options options = {.strategy = now->strategy,
	                                    .no_sleep = now->no_sleep,
	                                    .bounded = now->within || (now->reaches && law->preemptions),
	                                    .preemptions = now->reaches ? bound_of(seed) : seed % 3,
	                                    .fair = now->reaches ? law->fair : now->within && seed % 2,
	                                    .yields = now->reaches ? law->yields : 0,
	                                    .delayed = now->within && seed % 5 == 0,
	                                    .delays = seed % 4,
	                                    .max_executions = MAX_EXECUTIONS};
	run_search(script, &options, &outcome);
	outcome_release(&outcome);
	redundant_alone += outcome.counts.redundant;
	return outcome.complete ? outcome.counts.executions : MAX_EXECUTIONS;
}

static uint64_t sum(const struct graph_set *set)
{
	uint64_t sum = set->count;
	for (size_t n = 0; n < set->count; n++) sum += (set->keys[n].a ^ set->keys[n].b >> 7) * 0x9e3779b97f4a7c15ULL;
	return sum;
}

/* Returns a sum over the executions that one worker makes which shares nothing. */
static uint64_t sum_alone(const struct script *script, uint64_t samples)
{
	struct crew crew = {.script = script, .n = 1, .alone = true, .samples = samples};
	worker_init(&crew, 0);
	for (uint64_t n = 0; n < samples; n++) work(&crew, 0);
	uint64_t made = sum(&crew.workers[0].made);
	worker_release(&crew.workers[0]);
	return made;
}

static bool check_samples(const struct script *script, uint64_t seed, uint64_t way)
{
	struct crew crew = {.script = script, .random = seed * WAYS + way};
	crew.n = 1 + below(&crew, MAX_WORKERS);
	crew.samples = 1 + below(&crew, 400);
	explore(&crew, 1000000);
	bool right = true;
	if (!mz_trunk_is_done(&crew.trunk))
		right = report(script, seed, way, "does not end", crew.samples, crew.found.count);
	else if (crew.forgotten)
		right = report(script, seed, way, "forgotten", 0, crew.forgotten);
	else if (sum(&crew.found) != sum_alone(script, crew.samples))
		right = report(script, seed, way, "other executions", crew.samples, crew.found.count);
	executions += crew.samples;
	graph_set_release(&crew.found);
	return right;
}

static bool check_workers(const struct script *script, uint64_t seed, uint64_t way, const struct truth *truth,
                          uint64_t expected)
{
	struct crew crew = {.script = script, .seed = seed, .random = seed * WAYS + way};
	crew.n = 1 + below(&crew, MAX_WORKERS);
	explore(&crew, 1000 * expected + 10000);
	uint64_t settled = crew.found.count, repeated = graph_set_sort(&crew.found);
	bool right = true;
	if (!mz_trunk_is_done(&crew.trunk))
		right = report(script, seed, way, "does not end", 0, crew.counts.executions);
	else if (crew.forgotten)
		right = report(script, seed, way, "forgotten", 0, crew.forgotten);
	else if (repeated && (now->once || now->every || now->within))
		right = report(script, seed, way, "repeated graphs", 0, repeated);
	else if (crew.counts.redundant && now->exact && strcmp(kind, "sections") != 0)
		right = report(script, seed, way, "redundant", 0, crew.counts.redundant);
	else if (now->every && settled != truth->interleavings)
		right = report(script, seed, way, "interleavings", truth->interleavings, settled);
	else if (now->alike && settled != expected)
		right = report(script, seed, way, "executions", expected, settled);
	else if (now->reaches && !graph_sets_equal(&crew.found, &truth->within[bound_of(seed)]))
		right = report(script, seed, way, "graphs", truth->within[bound_of(seed)].count, crew.found.count);
	else if (!now->every && !now->within && !now->reaches && !graph_sets_equal(&crew.found, &truth->graphs))
		right = report(script, seed, way, "graphs", truth->graphs.count, crew.found.count);
	else if (now->once && crew.deadlocks != truth->deadlocks)
		right = report(script, seed, way, "deadlocks", truth->deadlocks, crew.deadlocks);
	executions += crew.counts.executions;
	redundant += crew.counts.redundant;
	graph_set_release(&crew.found);
	mz_keyset_release(&crew.closed);
	return right;
}

/* The same for a contender that is to reach what is within bounds. */
static bool check_within(const struct script *script, uint64_t seed, uint64_t way, uint64_t expected)
{
	struct truth truth;
	bool right = true;
	if (referee_enumerate_bounded(script, MAX_PREFIXES, law_of(seed), &truth))
		right = check_workers(script, seed, way, &truth, expected);
	truth_release(&truth);
	return right;
}

/* Returns whether the contender explores the script, and how many executions it makes alone. It does not if these are
 * many, or if inputs decide something and it cannot explore that. */
static bool suits(const struct script *script, uint64_t seed, uint64_t *count)
{
	if (strcmp(kind, "branching") == 0 && (now->samples || now->closes)) return false;
	*count = now->samples ? 0 : alone(script, seed);
	return *count < MAX_EXECUTIONS;
}

/* 1: right, 0: wrong, -1: not a program to learn from. */
static int check_seed(uint64_t seed, const char *name)
{
	struct script script;
	struct truth truth;
	generate_of_kind(&script, kind, seed);
	int verdict = -1;
	bool learns = referee_enumerate(&script, MAX_PREFIXES, &truth) && truth.graphs.count > 1;
	for (now = contenders; now < contenders + CONTENDERS && learns && verdict; now++) {
		uint64_t count;
		if (strcmp(name, "all") != 0 && strcmp(name, now->name) != 0) continue;
		if (!suits(&script, seed, &count)) continue;
		verdict = 1;
		for (uint64_t way = 0; way < WAYS && verdict; way++)
			verdict = now->samples   ? check_samples(&script, seed, way)
			          : now->reaches ? check_within(&script, seed, way, count)
			                         : check_workers(&script, seed, way, &truth, count);
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
	const char *name = argc > 4 ? argv[4] : "optimal";
	if (argc > 3) kind = argv[3];
	for (; done < count; seed++) {
		int verdict = check_seed(seed, name);
		done += verdict >= 0;
		wrong += verdict == 0;
	}
	printf("%llu programs, %llu graphs, %llu executions, %llu redundant (by one worker %llu), %llu workers lost, "
	       "begun anew %llu times: "
	       "%llu "
	       "wrong\n",
	       (unsigned long long)done, (unsigned long long)graphs, (unsigned long long)executions,
	       (unsigned long long)redundant, (unsigned long long)(WAYS * redundant_alone), (unsigned long long)losses,
	       (unsigned long long)restarts, (unsigned long long)wrong);
	/* what sections touch is guessed: executions may be given up, by several workers a few in a hundred graphs more than by one */
	bool often =
	    WAYS * redundant_alone + WAYS * graphs / 30 < redundant && strcmp(name, "optimal") == 0 && count >= 50;
	if (often) fprintf(stderr, "redundant more often than by one worker\n");
	return wrong > 0 || often;
}
