/* SPDX-License-Identifier: MIT
 *
 * explorer/shared_trunk.c, explorer/trunk_supervision.c and engine/backtracking/trunk*.c: workers explore a program together; and one of them is
 * killed, or the trunk is copied meanwhile.
 *
 * The workers are threads with a search each. The program that they explore is a script, which one search alone has explored before.
 * Invariant: whatever is killed where, each trace that the search alone executes is executed, each execution counts once, and the trunk
 * says in the end that everything is explored. Nobody waits for a leaf that nobody has.
 *
 *   whole   nobody is killed
 *   killed  the worker of one machine is, and the next machine gets its seat
 *   kept    the trunk is copied at some time; another worker goes on with the copy, and makes the executions that do not count in it
 *   sets    by `source`: branches have names of threads, until it is known what these do
 *   bounds  by `bpor`, within a bound on preemptions: branches say what the bound has refused below them
 *
 * options: -- whole
 * options: --preemptions 1 -- killed
 * options: --no-races --preemptions 2 -- kept
 * options: --preemptions 2 -- sets
 * options: --preemptions 3 -- bounds
 * sources: explorer/shared_trunk.c explorer/trunk_supervision.c explorer/trunk_link.c explorer/shared_keys.c explorer/learned.c
 * sources: engine/backtracking/backtrack.c engine/backtracking/backtrack_check.c engine/backtracking/guess.c
 * sources: engine/backtracking/initials.c
 * sources: engine/backtracking/interned.c engine/backtracking/open_races.c engine/backtracking/points.c engine/backtracking/sleep.c
 * sources: engine/backtracking/trunk.c engine/backtracking/trunk_posts.c engine/backtracking/trunk_roam.c engine/backtracking/trunk_sets.c
 * sources: engine/backtracking/wakeup.c
 * sources: engine/execution/conflict.c engine/execution/execution.c engine/execution/objects.c engine/execution/waiting.c
 * sources: engine/reversal/race.c engine/reversal/sequence.c engine/scheduling/bound.c engine/scheduling/order.c
 * sources: engine/scheduling/bounds/delays.c engine/scheduling/bounds/depth.c engine/scheduling/bounds/fair.c
 * sources: engine/scheduling/bounds/preemptions.c engine/scheduling/bounds/switches.c
 * sources: engine/strategies/optimal.c engine/strategies/source.c engine/strategies/bpor.c
 * sources: engine/search.c engine/options.c engine/graphs/graph.c trace/event.c
 * sources: base/alloc.c base/arena.c base/array.c base/bug.c base/chunks.c base/hash.c base/keyset.c base/pool.c base/table.c
 * sources: ../tests/engine/helpers/machine.c ../tests/engine/helpers/script.c ../tests/engine/helpers/script_executor.c
 * sources: ../tests/self/memory.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local
 */
#include "../engine/helpers/build.h"
#include "../engine/helpers/script_executor.h"
#include "base/alloc.h"
#include "dying.h"
#include "engine/search.h"
#include "explorer/trunk_memory.h"
#include "memory.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

/* The registry, with no other strategies. */
#define mz_strategy_cartesian mz_strategy_optimal
#define mz_strategy_cbpor mz_strategy_optimal
#define mz_strategy_dfs mz_strategy_optimal
#define mz_strategy_dpor mz_strategy_optimal
#define mz_strategy_dpor_cr mz_strategy_optimal
#define mz_strategy_pct mz_strategy_optimal
#define mz_strategy_pos mz_strategy_optimal
#define mz_strategy_random mz_strategy_optimal
#define mz_strategy_states mz_strategy_optimal
#include "engine/registry.c"
const struct mz_strategy mz_strategy_optimal_published, mz_strategy_bpor_published; /* are asked for by nobody */

#define MEMORY ((size_t)4 << 20)
#define STEPS_MOST 32
#define TRACES_MOST 64
#define WAITS_MOST 20

static _Alignas(4096) char memory[MEMORY];
static struct mz_trunk_memory trunk;
static struct script program;
static struct mz_search_options options;

struct worker {
	struct mz_trunk_user user;
	struct mz_session session;
	bool mortal;
	struct mz_search *search;
};

static struct worker workers[3];
static bool executed[TRACES_MOST];

/* ---- searches ---- */

/* Notes which trace an execution was: it is known by what the threads have read. */
static void note(const struct machine *machine)
{
	uint64_t trace = 0;
	for (uint32_t t = 0; t < program.nthreads; t++) trace = trace << 2 | machine->threads[t].value;
	assert(trace < TRACES_MOST);
	__atomic_store_n(&executed[trace], true, __ATOMIC_RELAXED);
}

static void explore(struct mz_search *search)
{
	struct mz_step schedule[STEPS_MOST];
	struct script_executor executor;
	struct mz_view view;
	uint32_t known;
	const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	script_executor_init(&executor, &program, STEPS_MOST);
	while (mz_search_next(search, &known)) {
		enum mz_end end = script_executor_run(&executor, schedule, known, &driver, &view);
		if (end == MZ_END_FINISHED) note(&executor.machine);
		mz_search_end(search, &view, false);
	}
}

/* Explores the program with one search. Returns how many executions that takes, and whether a bound refuses something. */
static uint64_t explore_alone(bool traces[TRACES_MOST], bool *refused)
{
	struct mz_search *search = mz_search_new(&options);
	explore(search);
	uint64_t executions = mz_search_counts(search).executions;
	*refused = mz_search_counts(search).refused > 0;
	mz_search_free(search);
	memcpy(traces, executed, sizeof executed);
	memset(executed, 0, sizeof executed);
	return executions;
}

/* ---- workers ---- */

static struct mz_trunk_counts count(void *self)
{
	const struct worker *worker = self;
	struct mz_search_counts counts = mz_search_counts(worker->search);
	return (struct mz_trunk_counts){.executions = worker->user.before.executions + counts.executions,
	                                .redundant = worker->user.before.redundant + counts.redundant};
}

/* Waits for news without end: none may be missed. There are not many. */
static bool await(void *self)
{
	const struct mz_trunk_user *user = self;
	static _Thread_local uint32_t waits;
	assert(++waits < WAITS_MOST);
	while (!mz_trunk_has_news(user)) mz_yield();
	return true;
}

static void *work(void *self)
{
	struct worker *worker = self;
	struct mz_search_options ours = options;
	if (worker->mortal) mz_dying_begin();
	mz_trunk_join(&worker->user, trunk.shared, &worker->session);
	worker->user.count = count;
	worker->user.counter = worker;
	worker->user.worker.wait = await;
	ours.trunk = &worker->user.worker;
	worker->search = mz_search_new(&ours);
	explore(worker->search);
	assert(mz_trunk_is_explored(&worker->user));
	mz_dying_end();
	return NULL;
}

static void start(pthread_t *thread, uint32_t n, uint32_t seat, bool mortal)
{
	workers[n].session.worker = workers[n].session.seat = seat;
	workers[n].session.inputs.memory = -1;
	workers[n].mortal = mortal;
	pthread_create(thread, NULL, work, &workers[n]);
}

/* ---- programs ---- */

/* One thread writes what the others read. */
static void write_and_read(uint32_t nthreads)
{
	script_init(&program, nthreads, 1, 0, 0);
	add(&program, 0, STORE(0, 1));
	for (uint32_t t = 1; t < nthreads; t++) add(&program, t, LOAD(0));
}

/* One thread writes two words; the others read the first of these only if they find the second one as it was. So there are races with
 * the first step that the first execution does not show, and that two workers may find. */
static void read_conditionally(uint32_t nthreads)
{
	script_init(&program, nthreads, 2, 0, 0);
	add(&program, 0, STORE(1, 2));
	add(&program, 0, STORE(0, 1));
	for (uint32_t t = 1; t < nthreads; t++) {
		add(&program, t, LOAD(0));
		add(&program, t, UNLESS(0, 1));
		add(&program, t, LOAD(1));
	}
}

/* ---- ways ---- */

static bool is_way(int argc, char **argv, const char *way)
{
	return argc == 2 && strcmp(argv[1], way) == 0;
}

static void prepare(int argc, char **argv)
{
	const bool sets = is_way(argc, argv, "sets"), bounds = is_way(argc, argv, "bounds");
	options.strategy = mz_strategy_find(sets ? "source" : bounds ? "bpor" : "optimal");
	options.bounded = bounds;
	if (sets || bounds)
		read_conditionally(bounds ? 2 : 3);
	else
		write_and_read(is_way(argc, argv, "killed") ? 3 : 2);
	for (uint32_t t = 0; t < program.nthreads; t++) program.threads[t].started = true;
}

static void *copy(void *size)
{
	return mz_trunk_memory_copy(&trunk, size);
}

/* Goes on with a copy of the trunk, as if nothing had been executed that does not count there. */
static void go_on(void *copy, size_t size)
{
	pthread_t thread;
	memset(memory, 0, MEMORY);
	int failed = mz_trunk_memory_open(&trunk, MEMORY / 2, 0);
	bool restored = mz_trunk_memory_restore(&trunk, copy, size);
	assert(!failed && restored);
	start(&thread, 2, 0, false);
	pthread_join(thread, NULL);
}

/* The worker at the first seat was killed, and with it its machine: another one takes part. */
static void replace_machine(const struct mz_replica *replica)
{
	pthread_t thread;
	uint32_t seat;
	mz_trunk_enter(trunk.shared);
	replica->lose_member(replica->self, 1);
	bool seated = replica->seat(replica->self, 3, 1, &seat);
	mz_trunk_exit(trunk.shared);
	assert(seated && seat == 0);
	start(&thread, 2, seat, false);
	pthread_join(thread, NULL);
}

static void take_seat(const struct mz_replica *replica, uint32_t member)
{
	uint32_t seat;
	bool seated = replica->seat(replica->self, member, 1, &seat);
	assert(seated && seat == member - 1 && replica->seats(replica->self) == member);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	void *result, *kept;
	size_t size;
	bool traces[TRACES_MOST], refused, keeps = is_way(argc, argv, "kept");
	prepare(argc, argv);
	uint64_t executions = explore_alone(traces, &refused);
	mz_memory_use(memory, MEMORY);
	int failed = mz_trunk_memory_open(&trunk, MEMORY / 2, 0);
	assert(!failed);
	const struct mz_replica replica = mz_trunk_replica(&trunk);
	for (uint32_t member = 1; member <= 2; member++) take_seat(&replica, member);
	start(&threads[0], 0, 0, is_way(argc, argv, "killed"));
	start(&threads[1], 1, 1, false);
	if (keeps) pthread_create(&threads[2], NULL, copy, &size);
	if (keeps) pthread_join(threads[2], &kept);
	pthread_join(threads[0], &result);
	if (mz_dying_is_result(result)) replace_machine(&replica);
	pthread_join(threads[1], NULL);
	assert(memcmp(executed, traces, sizeof traces) == 0);
	if (keeps) go_on(kept, size);
	assert(trunk.shared->trunk.root.refused == refused && refused == is_way(argc, argv, "bounds"));
	assert(mz_trunk_is_whole(&trunk));
	assert(mz_trunk_settled(&trunk, 0).executions + mz_trunk_settled(&trunk, 1).executions == executions);
	return 0;
}
