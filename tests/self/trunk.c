/* SPDX-License-Identifier: MIT
 *
 * explorer/shared_trunk.c and engine/backtracking/trunk.c: workers explore a program together, and one of them is killed.
 *
 * The workers are threads with a search by `optimal` each. The program that they explore is a script: one thread writes what one
 * or two others read, which has two or four traces. Invariant: whatever is killed where, each trace is executed, each counts once, and the trunk
 * says in the end that everything is explored. Nobody waits for a leaf that nobody has.
 *
 * options: -- whole
 * options: --preemptions 1 -- killed
 * sources: explorer/shared_trunk.c explorer/trunk_supervision.c explorer/trunk_link.c explorer/shared_keys.c explorer/learned.c
 * sources: engine/backtracking/backtrack.c engine/backtracking/guess.c engine/backtracking/initials.c
 * sources: engine/backtracking/interned.c engine/backtracking/open_races.c engine/backtracking/points.c engine/backtracking/sleep.c
 * sources: engine/backtracking/trunk.c engine/backtracking/trunk_posts.c engine/backtracking/trunk_roam.c engine/backtracking/trunk_sets.c
 * sources: engine/backtracking/wakeup.c
 * sources: engine/execution/conflict.c engine/execution/execution.c engine/execution/objects.c engine/execution/waiting.c
 * sources: engine/reversal/race.c engine/reversal/sequence.c engine/scheduling/bound.c engine/scheduling/order.c
 * sources: engine/strategies/optimal.c engine/search.c engine/options.c engine/graphs/graph.c trace/event.c
 * sources: base/alloc.c base/arena.c base/array.c base/bug.c base/chunks.c base/hash.c base/keyset.c base/pool.c base/table.c
 * sources: ../tests/engine/helpers/machine.c ../tests/engine/helpers/script.c ../tests/engine/helpers/script_executor.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local
 */
#include "../engine/helpers/build.h"
#include "../engine/helpers/script_executor.h"
#include "dying.h"
#include "engine/search.h"
#include "explorer/shared_memory.h"
#include "explorer/shared_trunk.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

/* The registry, with no other strategy. */
#define mz_strategy_bpor mz_strategy_optimal
#define mz_strategy_cartesian mz_strategy_optimal
#define mz_strategy_cbpor mz_strategy_optimal
#define mz_strategy_dfs mz_strategy_optimal
#define mz_strategy_dpor mz_strategy_optimal
#define mz_strategy_dpor_cr mz_strategy_optimal
#define mz_strategy_pct mz_strategy_optimal
#define mz_strategy_pos mz_strategy_optimal
#define mz_strategy_random mz_strategy_optimal
#define mz_strategy_source mz_strategy_optimal
#define mz_strategy_states mz_strategy_optimal
#include "engine/registry.c"
const struct mz_strategy mz_strategy_optimal_published; /* is asked for by nobody */

#define MEMORY ((size_t)4 << 20)
#define STEPS_MOST 16
#define TRACES_MOST 4

static _Alignas(4096) char memory[MEMORY];
static struct mz_trunk_memory trunk;
static struct script program;

struct worker {
	struct mz_trunk_user user;
	struct mz_session session;
	bool mortal;
	struct mz_search_counts counts; /* of the search, at the last moment at which something may count */
	struct mz_search *search;
};

static struct worker workers[3];
static uint32_t ntraces;
static bool executed[TRACES_MOST];

/* ---- the memory is that of the process ---- */

int mz_shared_memory_make(const char *name, size_t size)
{
	(void)name;
	assert(size <= MEMORY);
	return 1000;
}

void *mz_shared_memory_map(int fd, size_t size, uintptr_t address)
{
	(void)fd, (void)size, (void)address;
	return memory;
}

int mz_shared_lock_make(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	return pthread_mutex_init(mutex, &attributes);
}

/* ---- workers ---- */

static struct mz_trunk_counts count(void *self)
{
	const struct worker *worker = self;
	struct mz_search_counts counts = mz_search_counts(worker->search);
	return (struct mz_trunk_counts){.executions = worker->user.before.executions + counts.executions,
	                                .redundant = worker->user.before.redundant + counts.redundant};
}

/* Waits for news without end: none may be missed. */
static bool await(void *self)
{
	const struct mz_trunk_user *user = self;
	while (!mz_trunk_has_news(user)) mz_yield();
	return true;
}

/* Notes which trace an execution was: it is known by what the readers have read. */
static void note(const struct machine *machine)
{
	uint64_t trace = 0;
	for (uint32_t t = 1; t < program.nthreads; t++) trace = trace << 1 | machine->threads[t].value;
	assert(trace < ntraces);
	__atomic_store_n(&executed[trace], true, __ATOMIC_RELAXED);
}

static void explore(struct worker *worker)
{
	struct mz_step schedule[STEPS_MOST];
	struct script_executor executor;
	struct mz_view view;
	uint32_t known;
	const struct mz_search_options options = {.strategy = mz_strategy_find("optimal"),
	                                          .trunk = &worker->user.worker};
	worker->search = mz_search_new(&options);
	const struct mz_driver driver = {worker->search, mz_search_choose, mz_search_observe, mz_search_order};
	script_executor_init(&executor, &program, STEPS_MOST);
	while (mz_search_next(worker->search, &known)) {
		enum mz_end end = script_executor_run(&executor, schedule, known, &driver, &view);
		if (end == MZ_END_FINISHED) note(&executor.machine);
		mz_search_end(worker->search, &view, false);
	}
	assert(mz_trunk_is_explored(&worker->user));
}

static void *work(void *self)
{
	struct worker *worker = self;
	if (worker->mortal) mz_dying_begin();
	mz_trunk_join(&worker->user, trunk.shared, &worker->session);
	worker->user.count = count;
	worker->user.counter = worker;
	worker->user.worker.wait = await;
	explore(worker);
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

/* One thread writes what the others read. */
static void make_program(uint32_t nthreads)
{
	ntraces = 1U << (nthreads - 1);
	script_init(&program, nthreads, 1, 0, 0);
	add(&program, 0, STORE(0, 1));
	for (uint32_t t = 1; t < nthreads; t++) add(&program, t, LOAD(0));
	for (uint32_t t = 0; t < nthreads; t++) program.threads[t].started = true;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	void *result;
	bool mortal = argc == 2 && strcmp(argv[1], "killed") == 0;
	make_program(mortal ? 3 : 2);
	int failed = mz_trunk_memory_open(&trunk, MEMORY / 2, 0);
	assert(!failed);
	mz_dying_in(memory, MEMORY);
	start(&threads[0], 0, 0, mortal);
	start(&threads[1], 1, 1, false);
	pthread_join(threads[0], &result);
	bool killed = mz_dying_is_result(result);
	if (killed) {
		mz_trunk_lose_worker(&trunk, 0);
		start(&threads[2], 2, 0, false);
		pthread_join(threads[2], NULL);
	}
	pthread_join(threads[1], NULL);
	assert(mz_trunk_is_whole(&trunk));
	for (unsigned n = 0; n < ntraces; n++) assert(executed[n]);
	assert(mz_trunk_settled(&trunk, 0).executions + mz_trunk_settled(&trunk, 1).executions == ntraces);
	return 0;
}
