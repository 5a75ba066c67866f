/* SPDX-License-Identifier: MIT
 *
 * The engine as a foreign host sees it: nothing but the installed header. The host here runs tasks that are lists of
 * operations, keeps its own locks and threads, and knows nothing of the engine but what it is told to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* first the headers above, as cmocka wants it */
#include <cmocka.h>
#include <mazurka/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a host ---- */

enum kind { READ, WRITE, WEAK_READ, WEAK_WRITE, ACQUIRE, RELEASE, SPAWN, JOIN, RAISE, AWAIT, POST, TAKE, NOTHING, END };

struct op {
	enum kind kind;
	uint64_t what;
};

#define THREADS 8
#define LOCKS 8
#define EVENTS 8 /* flags and semaphores; as objects they come behind these */
#define FLAG 100
#define SEMAPHORE 200

struct host {
	const struct op *const *programs; /* one for each thread, ended by END */
	uint32_t threads;                 /* from the start */
	int announces;                    /* says between steps who waits for a lock; else in the thread's own step */
	uint32_t at[THREADS];
	int waits[THREADS];
	int done[THREADS];
	int alive[THREADS];
	int holder[LOCKS]; /* thread plus one */
	int raised[EVENTS];
	int posted[EVENTS];
};

static const struct op *current(const struct host *host, uint32_t thread)
{
	return &host->programs[thread][host->at[thread]];
}

/* Whether the next operation of a thread has to wait, and for which lock. */
static int must_wait(const struct host *host, uint32_t thread, uint64_t *lock)
{
	const struct op *op = current(host, thread);
	*lock = MZ_ENGINE_NO_LOCK;
	if (op->kind == JOIN) return !host->done[op->what];
	if (op->kind == AWAIT) return !host->raised[op->what];
	if (op->kind == TAKE) return !host->posted[op->what];
	if (op->kind != ACQUIRE) return 0;
	*lock = op->what;
	return host->holder[op->what] != 0;
}

static void look_around(struct host *host, mz_engine *engine)
{
	for (uint32_t t = 0; t < THREADS; t++) {
		uint64_t lock;
		if (!host->alive[t] || host->done[t]) continue;
		int wait = must_wait(host, t, &lock);
		int may_announce = host->announces || current(host, t)->kind != ACQUIRE;
		if (wait && !host->waits[t] && may_announce) {
			assert_int_equal(mz_engine_block(engine, t, lock), 0);
			host->waits[t] = 1;
		} else if (!wait && host->waits[t]) {
			assert_int_equal(mz_engine_unblock(engine, t), 0);
			host->waits[t] = 0;
		}
	}
}

static void advance(struct host *host, mz_engine *engine, uint32_t thread)
{
	host->at[thread]++;
	if (current(host, thread)->kind != END) return;
	host->done[thread] = 1;
	assert_int_equal(mz_engine_finish_thread(engine, thread), 0);
}

static void step(struct host *host, mz_engine *engine, uint32_t thread)
{
	const struct op *op = current(host, thread);
	uint64_t lock;
	if (must_wait(host, thread, &lock)) { /* found out only now */
		assert_int_equal(mz_engine_block(engine, thread, lock), 0);
		host->waits[thread] = 1;
		return;
	}
	switch (op->kind) {
	case READ: assert_int_equal(mz_engine_access(engine, thread, op->what, MZ_READ), 0); break;
	case WRITE: assert_int_equal(mz_engine_access(engine, thread, op->what, MZ_WRITE), 0); break;
	case WEAK_READ: assert_int_equal(mz_engine_access(engine, thread, op->what, MZ_WEAK_READ), 0); break;
	case WEAK_WRITE: assert_int_equal(mz_engine_access(engine, thread, op->what, MZ_WEAK_WRITE), 0); break;
	case ACQUIRE:
		host->holder[op->what] = (int)thread + 1;
		assert_int_equal(mz_engine_sync(engine, thread, MZ_ENGINE_ACQUIRE, op->what), 0);
		break;
	case RELEASE:
		host->holder[op->what] = 0;
		assert_int_equal(mz_engine_sync(engine, thread, MZ_ENGINE_RELEASE, op->what), 0);
		break;
	case SPAWN:
		host->alive[op->what] = 1;
		assert_int_equal(mz_engine_sync(engine, thread, MZ_ENGINE_SPAWN, op->what), 0);
		break;
	case JOIN: assert_int_equal(mz_engine_sync(engine, thread, MZ_ENGINE_JOIN, op->what), 0); break;
	case RAISE:
		host->raised[op->what] = 1;
		assert_int_equal(mz_engine_access(engine, thread, FLAG + op->what, MZ_WRITE), 0);
		break;
	case AWAIT: assert_int_equal(mz_engine_access(engine, thread, FLAG + op->what, MZ_READ), 0); break;
	case POST:
	case TAKE:
		host->posted[op->what] += op->kind == POST ? 1 : -1;
		assert_int_equal(mz_engine_access(engine, thread, SEMAPHORE + op->what, MZ_WRITE), 0);
		break;
	case NOTHING: break;
	case END: fail(); break;
	}
	advance(host, engine, thread);
}

static void start(struct host *host, mz_engine *engine)
{
	memset(host->at, 0, sizeof host->at);
	memset(host->waits, 0, sizeof host->waits);
	memset(host->done, 0, sizeof host->done);
	memset(host->alive, 0, sizeof host->alive);
	memset(host->holder, 0, sizeof host->holder);
	memset(host->raised, 0, sizeof host->raised);
	memset(host->posted, 0, sizeof host->posted);
	for (uint32_t t = 0; t < host->threads; t++) host->alive[t] = 1;
	assert_int_equal(mz_engine_begin(engine), 0);
	look_around(host, engine);
}

/* One execution. Returns whether all threads came to their end; -1 if the engine gave it up. */
static int run(struct host *host, mz_engine *engine)
{
	int thread, finished = 1;
	start(host, engine);
	while ((thread = mz_engine_schedule(engine)) >= 0) {
		step(host, engine, (uint32_t)thread);
		look_around(host, engine);
	}
	assert_null(mz_engine_error(engine));
	for (uint32_t t = 0; t < THREADS; t++)
		if (host->alive[t] && !host->done[t]) finished = 0;
	return thread == MZ_ENGINE_DONE ? finished : -1;
}

struct outcome {
	mz_engine_counts counts;
	unsigned stuck;
	int complete;
};

static struct outcome explore(struct host *host, mz_engine_options options)
{
	char error[200] = "";
	struct outcome outcome = {{0, 0, 0, 0, 0}, 0, 0};
	options.threads = host->threads;
	options.tries_locks = !host->announces;
	mz_engine *engine = mz_engine_new(&options, error, sizeof error);
	assert_string_equal(error, "");
	do {
		outcome.stuck += run(host, engine) == 0;
	} while (mz_engine_next(engine));
	assert_null(mz_engine_error(engine));
	outcome.counts = mz_engine_count(engine);
	outcome.complete = mz_engine_complete(engine);
	mz_engine_free(engine);
	return outcome;
}

static void expect_exact(struct host *host, uint64_t executions, unsigned stuck, uint64_t traces)
{
	static const char *const strategies[] = {"optimal", "cbpor"};
	for (size_t n = 0; n < sizeof strategies / sizeof *strategies; n++) {
		struct outcome outcome =
		    explore(host, (mz_engine_options){.strategy = strategies[n], .count_traces = 1});
		assert_true(outcome.complete);
		assert_int_equal(outcome.counts.executions, executions);
		assert_int_equal(outcome.counts.redundant, 0);
		assert_int_equal(outcome.counts.traces, traces);
		assert_int_equal(outcome.stuck, stuck);
	}
}

static void expect(struct host *host, uint64_t executions, unsigned stuck, uint64_t traces)
{
	expect_exact(host, executions, stuck, traces);
	static const char *const others[] = {"source", "dpor", "dpor-cr", "dfs"};
	for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
		struct outcome outcome = explore(host, (mz_engine_options){.strategy = others[n], .count_traces = 1});
		assert_true(outcome.complete);
		assert_int_equal(outcome.counts.traces, traces);
		assert_true(outcome.counts.executions >= executions);
		assert_true((outcome.stuck > 0) == (stuck > 0));
	}
}

/* ---- programs with known counts ---- */

static const struct op increment[] = {{READ, 1}, {WRITE, 1}, {END, 0}};
static const struct op *const lost_update[] = {increment, increment, increment};

static void test_lost_update(void **state)
{
	(void)state;
	expect(&(struct host){.programs = lost_update, .threads = 2}, 4, 0, 4);
	expect(&(struct host){.programs = lost_update, .threads = 3}, 36, 0, 36);
}

static void test_dfs(void **state)
{
	struct host host = {.programs = lost_update, .threads = 2};
	(void)state;
	struct outcome outcome = explore(&host, (mz_engine_options){.strategy = "dfs", .count_traces = 1});
	assert_int_equal(outcome.counts.executions, 6);
	assert_int_equal(outcome.counts.traces, 4);
}

static void test_readers(void **state)
{
	static const struct op writer[] = {{WRITE, UINT64_MAX}, {END, 0}}, reader[] = {{READ, UINT64_MAX}, {END, 0}};
	static const struct op *const programs[] = {writer, reader, reader, reader, reader, reader};
	(void)state;
	expect(&(struct host){.programs = programs, .threads = 6}, 32, 0, 32);
}

static const struct op left[] = {{ACQUIRE, 0}, {ACQUIRE, 1}, {RELEASE, 1}, {RELEASE, 0}, {END, 0}};
static const struct op right[] = {{ACQUIRE, 1}, {ACQUIRE, 0}, {RELEASE, 0}, {RELEASE, 1}, {END, 0}};
static const struct op *const inversion[] = {left, right};

static void test_deadlock_of_locks(void **state)
{
	(void)state;
	expect(&(struct host){.programs = inversion, .threads = 2, .announces = 1}, 3, 1, 3);
}

/* Attempts are steps of their own then: more happens-before graphs, the same ends. */
static void test_locks_tried_in_the_step(void **state)
{
	static const struct op section[] = {{ACQUIRE, 0}, {WRITE, 7}, {RELEASE, 0}, {END, 0}};
	static const struct op *const programs[] = {section, section};
	struct host host = {.programs = programs, .threads = 2};
	(void)state;
	struct outcome outcome = explore(&host, (mz_engine_options){.count_traces = 1});
	struct outcome all = explore(&host, (mz_engine_options){.strategy = "dfs", .count_traces = 1});
	assert_int_equal(outcome.counts.executions, 4); /* who is first, and whether the other tries meanwhile */
	assert_int_equal(outcome.counts.traces, 4);
	assert_int_equal(outcome.counts.redundant, 0);
	assert_int_equal(outcome.stuck, 0);
	assert_int_equal(all.counts.traces, 4);
	host.programs = inversion;
	outcome = explore(&host, (mz_engine_options){.count_traces = 1});
	all = explore(&host, (mz_engine_options){.strategy = "dfs", .count_traces = 1});
	struct outcome once = explore(&host, (mz_engine_options){.strategy = "cbpor", .count_traces = 1});
	assert_int_equal(outcome.counts.traces, all.counts.traces);
	assert_int_equal(outcome.counts.executions, outcome.counts.traces);
	assert_int_equal(once.counts.traces, all.counts.traces);
	assert_int_equal(once.counts.executions, all.counts.traces);
	assert_true(outcome.stuck > 0);
}

static void test_spawn_and_join(void **state)
{
	static const struct op parent[] = {{WRITE, 1}, {SPAWN, 1}, {SPAWN, 2}, {JOIN, 1},
	                                   {JOIN, 2},  {READ, 2},  {END, 0}};
	static const struct op child[] = {{READ, 1}, {WRITE, 2}, {END, 0}};
	static const struct op *const programs[] = {parent, child, child};
	(void)state;
	/* only the children's writes race; whether a join had to wait makes no difference */
	expect(&(struct host){.programs = programs, .threads = 1}, 2, 0, 2);
}

/* Both readers come before or after the writer. Moving them about never asks for a join before its thread's end. */
static void test_join_of_what_is_over(void **state)
{
	static const struct op writer[] = {{WRITE, 9}, {END, 0}}, reader[] = {{READ, 9}, {END, 0}};
	static const struct op parent[] = {{SPAWN, 2}, {READ, 9}, {JOIN, 2}, {END, 0}};
	static const struct op *const programs[] = {writer, parent, reader};
	(void)state;
	expect(&(struct host){.programs = programs, .threads = 2}, 4, 0, 4);
}

/* ---- waiting for something that is no lock ---- */

static void test_flag(void **state)
{
	static const struct op setter[] = {{WRITE, 1}, {RAISE, 0}, {END, 0}};
	static const struct op waiter[] = {{WRITE, 2}, {AWAIT, 0}, {READ, 1}, {END, 0}};
	static const struct op racer[] = {{WRITE, 2}, {AWAIT, 0}, {WRITE, 1}, {END, 0}};
	static const struct op *const one[] = {setter, waiter}, *const two[] = {setter, waiter, racer};
	(void)state;
	/* what the setter wrote is always read */
	expect(&(struct host){.programs = one, .threads = 2}, 1, 0, 1);
	/* two orders of the writes of 2, two of the accesses to 1 */
	expect(&(struct host){.programs = two, .threads = 3}, 4, 0, 4);
}

/* Either of two may raise the flag that lets the waiter go on: their order, and where the waiter comes between. */
static void test_flag_raised_twice(void **state)
{
	static const struct op setter[] = {{RAISE, 0}, {END, 0}}, waiter[] = {{AWAIT, 0}, {END, 0}};
	static const struct op *const programs[] = {setter, setter, waiter};
	(void)state;
	expect(&(struct host){.programs = programs, .threads = 3}, 4, 0, 4);
}

/* One unit, two takers: one of them waits for ever, and it may be either. */
static void test_semaphore_that_runs_out(void **state)
{
	static const struct op poster[] = {{POST, 0}, {END, 0}};
	static const struct op taker[] = {{NOTHING, 0}, {TAKE, 0}, {END, 0}}, direct[] = {{TAKE, 0}, {END, 0}};
	static const struct op *const programs[] = {poster, taker, direct};
	(void)state;
	expect(&(struct host){.programs = programs, .threads = 3}, 2, 2, 2);
}

static void test_flag_never_raised(void **state)
{
	static const struct op writer[] = {{WRITE, 1}, {END, 0}}, waiter[] = {{WRITE, 1}, {AWAIT, 0}, {END, 0}};
	static const struct op *const programs[] = {writer, waiter, writer};
	(void)state;
	expect(&(struct host){.programs = programs, .threads = 3}, 6, 6, 6);
}

static void test_weak_kinds(void **state)
{
	static const struct op put[] = {{WEAK_WRITE, 1}, {END, 0}}, get[] = {{WEAK_READ, 1}, {END, 0}};
	static const struct op size[] = {{READ, 1}, {END, 0}}, clear[] = {{WRITE, 1}, {END, 0}};
	static const struct op *const commuting[] = {put, put, get}, *const counting[] = {put, put, size},
	                              *const clearing[] = {put, get, clear};
	(void)state;
	expect(&(struct host){.programs = commuting, .threads = 3}, 1, 0, 1);
	expect(&(struct host){.programs = counting, .threads = 3}, 4, 0, 4);
	expect(&(struct host){.programs = clearing, .threads = 3}, 4, 0, 4);
}

/* ---- limits ---- */

static void test_limits(void **state)
{
	struct host host = {.programs = lost_update, .threads = 3};
	(void)state;
	struct outcome outcome = explore(&host, (mz_engine_options){.max_executions = 5});
	assert_false(outcome.complete);
	assert_int_equal(outcome.counts.executions, 5);
	outcome = explore(&host, (mz_engine_options){.max_steps = 3});
	assert_false(outcome.complete);
	outcome = explore(&host, (mz_engine_options){.max_executions = 1000, .max_steps = 6});
	assert_true(outcome.complete);
	assert_int_equal(outcome.counts.executions, 36);
}

static void test_preemption_bound(void **state)
{
	static const uint64_t traces[] = {6, 24, 36, 36};
	struct host host = {.programs = lost_update, .threads = 3};
	(void)state;
	static const char *const strategies[] = {"dfs", "cbpor", "optimal"};
	for (uint32_t bound = 0; bound < 4; bound++) {
		for (size_t n = 0; n < sizeof strategies / sizeof *strategies; n++) {
			const mz_engine_options options = {
			    .strategy = strategies[n], .bounded = 1, .preemptions = bound, .count_traces = 1};
			struct outcome outcome = explore(&host, options);
			assert_true(outcome.complete);
			assert_int_equal(outcome.counts.traces, traces[bound]);
			if (n > 0) assert_int_equal(outcome.counts.executions, traces[bound]);
			if (n > 0) assert_int_equal(outcome.counts.redundant, 0);
		}
	}
}

/* A thread that has just been said to wait is not preempted: all of these take one preemption only. */
static void test_announced_lock_within_bounds(void **state)
{
	static const struct op first[] = {{READ, 3}, {ACQUIRE, 0}, {WRITE, 3}, {RELEASE, 0}, {END, 0}};
	static const struct op second[] = {{WRITE, 3}, {ACQUIRE, 0}, {RELEASE, 0}, {END, 0}};
	static const struct op *const programs[] = {first, second};
	struct host host = {.programs = programs, .threads = 2, .announces = 1};
	(void)state;
	for (uint32_t bound = 0; bound < 3; bound++) {
		mz_engine_options options = {.bounded = 1, .preemptions = bound, .count_traces = 1, .strategy = "dfs"};
		uint64_t traces = explore(&host, options).counts.traces;
		static const uint64_t within[] = {2, 5, 5};
		assert_int_equal(traces, within[bound]);
		for (int n = 0; n < 2; n++) {
			options.strategy = n ? "optimal" : "cbpor";
			struct outcome outcome = explore(&host, options);
			assert_true(outcome.complete);
			assert_int_equal(outcome.counts.traces, traces);
			assert_int_equal(outcome.counts.executions, traces);
			assert_int_equal(outcome.counts.redundant, 0);
		}
	}
}

/* ---- misuse ---- */

static mz_engine *two_threads(void)
{
	mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 2}, NULL, 0);
	assert_non_null(engine);
	return engine;
}

static void assert_wrong(mz_engine *engine, int result, const char *text)
{
	assert_int_equal(result, -1);
	assert_string_equal(mz_engine_error(engine), text);
	assert_int_equal(mz_engine_schedule(engine), MZ_ENGINE_ERROR);
	assert_int_equal(mz_engine_next(engine), 0);
	assert_false(mz_engine_complete(engine));
	mz_engine_free(engine);
}

static void test_options_that_make_no_sense(void **state)
{
	char error[200];
	(void)state;
	assert_null(mz_engine_new(&(mz_engine_options){.strategy = "best"}, error, sizeof error));
	assert_string_equal(error, "there is no strategy 'best'");
	assert_null(mz_engine_new(&(mz_engine_options){.strategy = "states"}, error, sizeof error));
	assert_string_equal(error, "the strategy 'states' goes back to states: not for hosts");
	assert_null(mz_engine_new(&(mz_engine_options){.threads = 2000000}, error, sizeof error));
	assert_string_equal(error, "2000000 threads are too many");
	assert_null(mz_engine_new(&(mz_engine_options){.strategy = "source", .bounded = 1}, error, sizeof error));
	assert_string_equal(error, "the strategy 'source' cannot be bounded");
	assert_null(mz_engine_new(&(mz_engine_options){.strategy = "bpor"}, error, sizeof error));
	assert_string_equal(error, "the strategy 'bpor' has to know what threads are about to do: not for hosts");
	assert_null(mz_engine_new(&(mz_engine_options){.strategy = "random"}, error, sizeof error));
	assert_string_equal(error, "the strategy 'random' never ends: set max_executions");
	assert_null(mz_engine_new(&(mz_engine_options){.order = "up"}, error, sizeof error));
	assert_string_equal(error, "there is no order 'up'");
}

static void test_misuse(void **state)
{
	(void)state;
	mz_engine *engine = two_threads();
	assert_wrong(engine, mz_engine_access(engine, 0, 1, MZ_READ), "mz_engine_access: no execution is under way");
	engine = two_threads();
	mz_engine_begin(engine);
	assert_wrong(engine, mz_engine_access(engine, 2, 1, MZ_READ), "mz_engine_access: there is no thread 2");
	engine = two_threads();
	mz_engine_begin(engine);
	int thread = mz_engine_schedule(engine);
	assert_wrong(engine, mz_engine_access(engine, (uint32_t)!thread, 1, MZ_READ),
	             thread ? "mz_engine_access: thread 0 was not scheduled"
	                    : "mz_engine_access: thread 1 was not scheduled");
	engine = two_threads();
	mz_engine_begin(engine);
	thread = mz_engine_schedule(engine);
	assert_wrong(engine, mz_engine_sync(engine, (uint32_t)thread, MZ_ENGINE_RELEASE, 5),
	             "lock 5 is not held by thread 0");
	engine = two_threads();
	mz_engine_begin(engine);
	mz_engine_finish_thread(engine, 1);
	assert_wrong(engine, mz_engine_block(engine, 1, 3), "mz_engine_block: thread 1 is finished");
	engine = two_threads();
	mz_engine_begin(engine);
	assert_wrong(engine, mz_engine_begin(engine),
	             "mz_engine_begin: the execution before is not over: call mz_engine_next");
}

static void test_lock_taken_twice(void **state)
{
	(void)state;
	mz_engine *engine = two_threads();
	mz_engine_begin(engine);
	int thread = mz_engine_schedule(engine);
	assert_int_equal(mz_engine_sync(engine, (uint32_t)thread, MZ_ENGINE_ACQUIRE, 5), 0);
	mz_engine_finish_thread(engine, (uint32_t)thread);
	assert_int_equal(mz_engine_schedule(engine), 1);
	assert_wrong(engine, mz_engine_sync(engine, 1, MZ_ENGINE_ACQUIRE, 5),
	             "lock 5 is held by thread 0: thread 1 cannot get it");
}

/* A host that does something else the second time. */
static void test_changing_host(void **state)
{
	(void)state;
	mz_engine *engine = two_threads();
	for (uint64_t execution = 0; execution < 2; execution++) {
		mz_engine_begin(engine);
		for (int n = 0; n < 4; n++) {
			int thread = mz_engine_schedule(engine);
			if (thread < 0) break;
			mz_engine_access(engine, (uint32_t)thread, n == 0 ? execution : 9, MZ_WRITE);
			if (n >= 2) mz_engine_finish_thread(engine, (uint32_t)thread);
		}
		if (mz_engine_error(engine)) break;
		while (mz_engine_schedule(engine) >= 0) {}
		if (!mz_engine_next(engine)) break;
	}
	assert_non_null(mz_engine_error(engine));
	assert_non_null(strstr(mz_engine_error(engine), "under the same schedule before"));
	mz_engine_free(engine);
}

/* A host whose second thread does something else if it goes first, without a word on why. */
static void test_change_in_a_demanded_step(void **state)
{
	(void)state;
	mz_engine *engine = two_threads();
	unsigned executions = 0;
	do {
		int thread, gone = 0;
		mz_engine_begin(engine);
		executions++;
		while ((thread = mz_engine_schedule(engine)) >= 0) {
			uint64_t object = thread == 1 && !gone ? 2 : 1;
			gone = 1;
			mz_engine_access(engine, (uint32_t)thread, object, MZ_WRITE);
			mz_engine_finish_thread(engine, (uint32_t)thread);
		}
	} while (mz_engine_next(engine));
	assert_int_equal(executions, 2);
	assert_string_equal(mz_engine_error(engine),
	                    "step 1, of thread 1, is not what it was when steps that it conflicts with came before");
	assert_false(mz_engine_complete(engine));
	mz_engine_free(engine);
}

/* A host whose second thread is over at once if it goes first. */
static void test_thread_that_is_gone_when_demanded(void **state)
{
	(void)state;
	mz_engine *engine = two_threads();
	do {
		int thread, gone = 0;
		mz_engine_begin(engine);
		while ((thread = mz_engine_schedule(engine)) >= 0) {
			mz_engine_access(engine, (uint32_t)thread, thread == 0 || gone == 2 ? 1 : 5, MZ_WRITE);
			if (thread == 0 || gone == 2 || gone == 0) mz_engine_finish_thread(engine, (uint32_t)thread);
			gone += thread == 0 ? 1 : gone;
		}
	} while (mz_engine_next(engine));
	assert_string_equal(mz_engine_error(engine),
	                    "after step 1 thread 1 cannot go on, and it could when other steps came before");
	mz_engine_free(engine);
}

/* No function needs an engine to say that there is none. */
static void test_no_engine(void **state)
{
	uint32_t length = 7;
	(void)state;
	assert_int_equal(mz_engine_begin(NULL), -1);
	assert_int_equal(mz_engine_schedule(NULL), MZ_ENGINE_ERROR);
	assert_int_equal(mz_engine_access(NULL, 0, 1, MZ_READ), -1);
	assert_int_equal(mz_engine_sync(NULL, 0, MZ_ENGINE_ACQUIRE, 1), -1);
	assert_int_equal(mz_engine_block(NULL, 0, 1), -1);
	assert_int_equal(mz_engine_unblock(NULL, 0), -1);
	assert_int_equal(mz_engine_finish_thread(NULL, 0), -1);
	assert_int_equal(mz_engine_next(NULL), 0);
	assert_int_equal(mz_engine_count(NULL).executions, 0);
	assert_int_equal(mz_engine_complete(NULL), 0);
	assert_string_equal(mz_engine_error(NULL), "there is no engine");
	assert_non_null(mz_engine_trace(NULL, &length));
	assert_int_equal(length, 0);
	mz_engine_free(NULL);
}

static void test_trace(void **state)
{
	uint32_t length = 7;
	(void)state;
	mz_engine *engine = two_threads();
	assert_non_null(mz_engine_trace(engine, &length));
	assert_int_equal(length, 0);
	mz_engine_begin(engine);
	mz_engine_trace(engine, &length);
	assert_int_equal(length, 0);
	int thread = mz_engine_schedule(engine);
	assert_int_equal(mz_engine_trace(engine, &length)[0], thread);
	assert_int_equal(length, 1);
	assert_int_equal(mz_engine_trace(engine, NULL)[0], thread);
	mz_engine_free(engine);
}

/* Adding threads takes time in proportion to their number: this is over at once, and took twelve seconds when every
 * thread was looked at for every other. */
static void test_many_threads(void **state)
{
	(void)state;
	mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 100000}, NULL, 0);
	clock_t before = clock();
	assert_int_equal(mz_engine_begin(engine), 0);
	int thread = mz_engine_schedule(engine);
	assert_int_equal(mz_engine_sync(engine, (uint32_t)thread, MZ_ENGINE_SPAWN, 199999), 0);
	assert_true(clock() - before < 2 * CLOCKS_PER_SEC);
	mz_engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lost_update),
	    cmocka_unit_test(test_dfs),
	    cmocka_unit_test(test_readers),
	    cmocka_unit_test(test_deadlock_of_locks),
	    cmocka_unit_test(test_locks_tried_in_the_step),
	    cmocka_unit_test(test_spawn_and_join),
	    cmocka_unit_test(test_join_of_what_is_over),
	    cmocka_unit_test(test_flag),
	    cmocka_unit_test(test_flag_raised_twice),
	    cmocka_unit_test(test_semaphore_that_runs_out),
	    cmocka_unit_test(test_flag_never_raised),
	    cmocka_unit_test(test_weak_kinds),
	    cmocka_unit_test(test_limits),
	    cmocka_unit_test(test_preemption_bound),
	    cmocka_unit_test(test_announced_lock_within_bounds),
	    cmocka_unit_test(test_options_that_make_no_sense),
	    cmocka_unit_test(test_misuse),
	    cmocka_unit_test(test_lock_taken_twice),
	    cmocka_unit_test(test_changing_host),
	    cmocka_unit_test(test_change_in_a_demanded_step),
	    cmocka_unit_test(test_thread_that_is_gone_when_demanded),
	    cmocka_unit_test(test_no_engine),
	    cmocka_unit_test(test_trace),
	    cmocka_unit_test(test_many_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
