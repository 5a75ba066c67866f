/* SPDX-License-Identifier: MIT
 *
 * The calls of <mazurka/engine.h> beyond accesses and locks, with exact counts: what threads wait for, attempts, steps
 * that do several things, yields, executions that are given up, bounds that are raised, limits. The host here runs
 * threads that are words: a step is what stands between two blanks, an operation a letter and a digit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* first the headers above, as cmocka wants it */
#include <cmocka.h>
#include <mazurka/engine.h>
#include <string.h>

enum { THREADS = 4, OBJECTS = 10 };

/* The operations: R and W of memory, L and U of a lock, T (try) and F (free, whoever has it) of one, P (post), Q (put) and
 * G (get) of a semaphore, A (attempt to get) of one, S (set), C (clear) and E (await the event) of a flag, J (join),
 * I (input or output of an object), Y (yield), X (await by looking: reads a flag, and waits for what the engine is not told). */
struct host {
	const char *threads[THREADS];
	unsigned count;
	unsigned units; /* of semaphore 0 at first */
	unsigned set;   /* whether flag 0 is set at first */
	const char *at[THREADS];
	int held[OBJECTS], flags[OBJECTS], units_now[OBJECTS];
	int blind[THREADS]; /* waits for flag - 1 */
	unsigned steps;
	unsigned abandon_at; /* the step in which executions are given up; 0: none */
	unsigned abandoned, most_abandoned;
};

static void report(struct host *host, mz_engine *engine, uint32_t t, char op, unsigned n)
{
	static const char letters[] = "LUTFPQGASCEJ";
	static const mz_engine_sync_kind kinds[] = {MZ_ENGINE_ACQUIRE,     MZ_ENGINE_RELEASE,  MZ_ENGINE_TRY,
	                                            MZ_ENGINE_RELEASE_ANY, MZ_ENGINE_POST,     MZ_ENGINE_PUT,
	                                            MZ_ENGINE_TAKE,        MZ_ENGINE_TRY_TAKE, MZ_ENGINE_SET,
	                                            MZ_ENGINE_CLEAR,       MZ_ENGINE_AWAIT,    MZ_ENGINE_JOIN};
	const char *letter = strchr(letters, op);
	if (op == 'R' || op == 'W') assert_int_equal(mz_engine_access(engine, t, n, op == 'R' ? MZ_READ : MZ_WRITE), 0);
	if (op == 'I') assert_int_equal(mz_engine_io(engine, t, n, MZ_WRITE), 0);
	if (op == 'Y') assert_int_equal(mz_engine_yield(engine, t), 0);
	if (letter) assert_int_equal(mz_engine_sync(engine, t, kinds[letter - letters], n), 0);
	if (op == 'S' || op == 'C') host->flags[n] = op == 'S';
	if (op != 'X') return;
	assert_int_equal(mz_engine_access(engine, t, 100 + n, MZ_READ), 0);
	if (host->flags[n]) return;
	host->blind[t] = (int)n + 1;
	assert_int_equal(mz_engine_block(engine, t, MZ_ENGINE_NO_LOCK), 0);
}

/* Says what the next step of a thread waits for. */
static void announce(struct host *host, mz_engine *engine, uint32_t t)
{
	for (const char *op = host->at[t]; *op && *op != ' '; op += 2) {
		uint64_t n = (uint64_t)(op[1] - '0');
		if (*op == 'P') return;
		if (*op == 'L') assert_int_equal(mz_engine_wait(engine, t, MZ_ENGINE_ACQUIRE, n), 0);
		if (*op == 'G') assert_int_equal(mz_engine_wait(engine, t, MZ_ENGINE_TAKE, n), 0);
		if (*op == 'E') assert_int_equal(mz_engine_wait(engine, t, MZ_ENGINE_AWAIT, n), 0);
		if (*op == 'J') assert_int_equal(mz_engine_wait(engine, t, MZ_ENGINE_JOIN, n), 0);
	}
}

static void step(struct host *host, mz_engine *engine, uint32_t t)
{
	const char *op = host->at[t];
	for (; *op && *op != ' '; op += 2) report(host, engine, t, *op, (unsigned)(op[1] - '0'));
	if (host->blind[t]) return; /* it tries again */
	host->at[t] = *op ? op + 1 : op;
	if (!*op)
		assert_int_equal(mz_engine_finish_thread(engine, t), 0);
	else
		announce(host, engine, t);
}

static void wake(struct host *host, mz_engine *engine)
{
	for (uint32_t t = 0; t < host->count; t++) {
		if (!host->blind[t] || !host->flags[host->blind[t] - 1]) continue;
		host->blind[t] = 0;
		assert_int_equal(mz_engine_unblock(engine, t), 0);
	}
}

/* Runs an execution. Returns whether all threads came to their end. */
static int run(struct host *host, mz_engine *engine)
{
	int thread, done = 1;
	memset(host->flags, 0, sizeof host->flags);
	memset(host->blind, 0, sizeof host->blind);
	assert_int_equal(mz_engine_begin(engine), 0);
	assert_int_equal(mz_engine_declare(engine, MZ_ENGINE_TAKE, 0, host->units), 0);
	assert_int_equal(mz_engine_declare(engine, MZ_ENGINE_AWAIT, 0, host->set), 0);
	host->flags[0] = (int)host->set;
	for (uint32_t t = 0; t < host->count; t++) {
		host->at[t] = host->threads[t];
		announce(host, engine, t);
	}
	for (host->steps = 0; (thread = mz_engine_schedule(engine)) >= 0; host->steps++) {
		if (host->abandon_at == host->steps + 1 && host->abandoned < host->most_abandoned) {
			host->abandoned++;
			assert_int_equal(mz_engine_abandon(engine), 0);
			break;
		}
		step(host, engine, (uint32_t)thread);
		wake(host, engine);
	}
	for (uint32_t t = 0; t < host->count; t++) done &= !*host->at[t];
	return done;
}

struct outcome {
	mz_engine_counts counts;
	unsigned stuck; /* executions that ended with threads that wait */
	int complete;
	uint32_t bound;
	char incomplete[100];
};

static struct outcome explore(struct host *host, mz_engine_options options)
{
	struct outcome o = {.stuck = 0};
	char error[200] = "";
	while (host->count < THREADS && host->threads[host->count]) host->count++;
	options.threads = host->count;
	options.count_traces = 1;
	mz_engine *engine = mz_engine_new(&options, error, sizeof error);
	assert_string_equal(error, "");
	do {
		int done = run(host, engine);
		o.stuck += !done && !mz_engine_aborted(engine);
		o.bound = mz_engine_bound(engine);
	} while (mz_engine_next(engine));
	assert_null(mz_engine_error(engine));
	o.counts = mz_engine_count(engine);
	o.complete = mz_engine_complete(engine);
	assert_true(o.complete == !mz_engine_incomplete(engine));
	if (!o.complete) strncpy(o.incomplete, mz_engine_incomplete(engine), sizeof o.incomplete - 1);
	mz_engine_free(engine);
	return o;
}

static void expect(struct host host, unsigned traces, unsigned stuck)
{
	static const char *const strategies[] = {"optimal", "cbpor", "source", "dpor-cr", "dfs"};
	for (size_t n = 0; n < sizeof strategies / sizeof *strategies; n++) {
		struct outcome o = explore(&host, (mz_engine_options){.strategy = strategies[n]});
		assert_true(o.complete);
		assert_int_equal(o.counts.traces, traces);
		if (n < 3) assert_int_equal(o.counts.executions, traces);
		if (n < 2) assert_int_equal(o.counts.redundant, 0);
		if (n < 3) assert_int_equal(o.stuck, stuck);
	}
}

/* ---- what threads wait for ---- */

static void test_semaphore(void **state)
{
	(void)state;
	expect((struct host){.threads = {"P0", "G0"}}, 1, 0);
	expect((struct host){.threads = {"G0", "G0"}, .units = 1}, 2, 2);
	expect((struct host){.threads = {"P0", "P0", "G0 G0"}}, 3,
	       0); /* two units, or one and another, or the other one */
}

static void test_queue(void **state)
{
	(void)state;
	expect((struct host){.threads = {"Q0", "Q0", "G0 G0"}}, 4, 0); /* the order of what is put in matters */
	expect((struct host){.threads = {"Q0W1", "G0R1"}}, 1, 0);
}

static void test_flag(void **state)
{
	(void)state;
	expect((struct host){.threads = {"W1 S0", "E0 R1"}}, 1, 0);
	expect((struct host){.threads = {"S0", "S0", "E0"}}, 4, 0);
	expect((struct host){.threads = {"S0", "C0", "E0"}}, 3,
	       1); /* cleared before, after, or in between: then it is stuck */
}

static void test_join(void **state)
{
	(void)state;
	expect((struct host){.threads = {"W1", "J0R1"}}, 1, 0);
	expect((struct host){.threads = {"W1", "W1", "J0 J1R1"}}, 2, 0);
}

/* What is announced costs no futile executions, and within bounds it is known who has to wait. */
static void test_nothing_is_futile(void **state)
{
	struct host host = {.threads = {"W1 P0 W2", "G0 W1", "W2 W1"}};
	(void)state;
	struct outcome o = explore(&host, (mz_engine_options){0});
	assert_int_equal(o.counts.futile, 0);
	uint64_t traces = o.counts.traces;
	for (unsigned bound = 0; bound < 3; bound++) {
		o = explore(&host, (mz_engine_options){.bounded = 1, .preemptions = bound});
		struct outcome all =
		    explore(&host, (mz_engine_options){.strategy = "dfs", .bounded = 1, .preemptions = bound});
		assert_int_equal(o.counts.traces, all.counts.traces);
		assert_int_equal(o.counts.executions, all.counts.traces);
	}
	assert_true(o.counts.traces <= traces);
}

/* A flag that is cleared early keeps others from going on, so that it costs no preemption to leave them. */
static void test_cleared_within_bounds(void **state)
{
	struct host host = {.threads = {"W1 E0", "W2 E0", "C0 R1R2 R1"}, .set = 1};
	(void)state;
	for (unsigned bound = 0; bound < 3; bound++) {
		mz_engine_options options = {.strategy = "dfs", .bounded = 1, .preemptions = bound};
		struct outcome all = explore(&host, options);
		options.strategy = "optimal";
		struct outcome o = explore(&host, options);
		assert_int_equal(o.counts.traces, all.counts.traces);
		assert_int_equal(o.counts.executions, all.counts.traces);
		assert_int_equal(o.counts.redundant, 0);
	}
}

/* ---- attempts ---- */

static void test_try(void **state)
{
	(void)state;
	expect((struct host){.threads = {"L0 U0", "T0"}}, 3, 1); /* before, and nobody else gets it; between; after */
	expect((struct host){.threads = {"A0", "A0"}, .units = 1}, 2, 0);
	expect((struct host){.threads = {"P0", "A0"}}, 2, 0);
}

static void test_lock_given_back_by_another(void **state)
{
	(void)state;
	expect((struct host){.threads = {"L0 L0", "F0"}}, 2, 1); /* too early, or between the two */
	expect((struct host){.threads = {"L0", "F0 L0"}}, 3, 2);
}

/* ---- steps that do several things ---- */

static void test_whole_section_in_a_step(void **state)
{
	(void)state;
	expect((struct host){.threads = {"L0W1U0", "L0W1U0", "L0W1U0"}}, 6, 0);
	expect((struct host){.threads = {"L0W1 W1U0", "L0W1 W1U0"}}, 2, 0);
	expect((struct host){.threads = {"L0 U0L1 U1", "L1 U1L0 U0"}}, 3, 1); /* hand over hand, the wrong way round */
	expect((struct host){.threads = {"G0W1P0", "G0W1P0"}, .units = 1}, 2, 0);
	expect((struct host){.threads = {"E0C0", "E0C0", "S0"}}, 2, 2);
}

/* ---- yields and fair bounds ---- */

static void test_yields(void **state)
{
	struct host host = {.threads = {"R1Y0 R1Y0 R1Y0", "W2 W2"}};
	static const unsigned within[] = {3, 6, 10, 10};
	(void)state;
	for (unsigned fair = 0; fair < 4; fair++) {
		mz_engine_options options = {.strategy = "dfs", .fair = 1, .yields = fair};
		struct outcome o = explore(&host, options);
		assert_true(o.complete);
		assert_int_equal(o.counts.executions, within[fair]);
	}
}

/* ---- executions that are given up ---- */

static void test_abandon(void **state)
{
	struct host host = {.threads = {"W1 W1", "W1 W1"}, .abandon_at = 3, .most_abandoned = 1};
	(void)state;
	struct outcome o = explore(&host, (mz_engine_options){0});
	assert_int_equal(o.counts.abandoned, 1);
	assert_false(o.complete);
	assert_string_equal(o.incomplete, "executions were abandoned");
	assert_true(o.counts.executions < 6);
}

/* An execution that is given up in a step that was made before is run again: nothing is missing. */
static void test_abandon_what_is_known(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 3; n++) {
		struct host host = {.threads = {"W2 W1 W1", "W1 W1"}, .most_abandoned = 0};
		mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 2}, NULL, 0);
		unsigned executions = 0;
		host.count = 2;
		do {
			run(&host, engine);
			executions += !mz_engine_aborted(engine);
			host.abandon_at = 1; /* from the second execution on the first step is known */
			host.most_abandoned = n;
		} while (mz_engine_next(engine));
		assert_true(mz_engine_complete(engine));
		assert_int_equal(mz_engine_count(engine).abandoned, 0);
		assert_int_equal(executions, 6);
		assert_int_equal(host.abandoned, n);
		mz_engine_free(engine);
	}
}

static void test_abandon_for_ever(void **state)
{
	struct host host = {.threads = {"W2 W1 W1", "W1 W1"}, .count = 2, .most_abandoned = 0};
	mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 2}, NULL, 0);
	(void)state;
	do {
		run(&host, engine);
		host.abandon_at = 1;
		host.most_abandoned = 1000;
	} while (mz_engine_next(engine));
	assert_string_equal(mz_engine_error(engine),
	                    "10 executions in a row were abandoned at step 1, where one went on before");
	assert_int_equal(host.abandoned, 11);
	mz_engine_free(engine);
}

/* ---- bounds and limits ---- */

static void test_iterate(void **state)
{
	struct host host = {.threads = {"R1 W1", "R1 W1", "R1 W1"}};
	(void)state;
	struct outcome o = explore(&host, (mz_engine_options){.iterate = 1});
	assert_true(o.complete);
	assert_int_equal(o.counts.executions, 36);
	assert_true(o.bound >= 2);
	o = explore(&host, (mz_engine_options){.iterate = 1, .bounded = 1, .preemptions = 1});
	assert_true(o.complete);
	assert_int_equal(o.bound, 1);
	assert_int_equal(o.counts.executions, 24);
	o = explore(&host, (mz_engine_options){.iterate = 1, .max_executions = 10}); /* 6 within 0 preemptions */
	assert_false(o.complete);
	assert_int_equal(o.bound, 1);
	assert_int_equal(o.counts.executions, 4);
	o = explore(&host, (mz_engine_options){0});
	assert_int_equal(o.bound, MZ_ENGINE_NO_BOUND);
}

static void test_memory(void **state)
{
	struct host host = {.threads = {"R1 W1 R1 W1", "R1 W1 R1 W1", "R1 W1"}};
	(void)state;
	struct outcome o = explore(&host, (mz_engine_options){.strategy = "cbpor", .max_memory = 20000});
	assert_false(o.complete);
	assert_string_equal(o.incomplete, "the limit on memory was reached");
	assert_true(o.counts.graph_bytes > 20000);
}

/* Reads in vain: a thread looks at a flag that is never set, and others make n steps each meanwhile. Without a word on
 * what it waits for, cbpor does not try every interleaving of theirs (70 for n = 4). */
static void test_reads_in_vain(void **state)
{
	static const char *const steps[] = {"R1", "R1 R1", "R1 R1 R1", "R1 R1 R1 R1"};
	(void)state;
	for (unsigned n = 1; n <= 4; n++) {
		struct host host = {.threads = {steps[n - 1], steps[n - 1], "X0"}};
		struct outcome o = explore(&host, (mz_engine_options){.strategy = "cbpor"});
		assert_int_equal(o.counts.executions, 1);
		assert_int_equal(o.counts.redundant, 0);
		assert_true(o.counts.futile <= (n + 1) * (n + 1));
	}
}

/* ---- properties ---- */

static void test_properties(void **state)
{
	(void)state;
	mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 2}, NULL, 0);
	assert_int_equal(mz_engine_threads(engine), 2);
	assert_int_equal(mz_engine_depth(engine), 0);
	assert_string_equal(mz_engine_incomplete(engine), "there is more to explore");
	mz_engine_begin(engine);
	for (uint32_t n = 0; n < 2; n++) {
		int t = mz_engine_schedule(engine);
		assert_int_equal(mz_engine_depth(engine), n + 1);
		mz_engine_access(engine, (uint32_t)t, 1, MZ_WRITE);
		if (t == 0) mz_engine_sync(engine, 0, MZ_ENGINE_SPAWN, 2);
		mz_engine_finish_thread(engine, (uint32_t)t);
	}
	mz_engine_finish_thread(engine, 2);
	assert_false(mz_engine_aborted(engine));
	assert_int_equal(mz_engine_schedule(engine), MZ_ENGINE_DONE);
	assert_false(mz_engine_aborted(engine));
	assert_int_equal(mz_engine_threads(engine), 3);
	assert_int_equal(mz_engine_next(engine), 1);
	assert_int_equal(mz_engine_depth(engine), 0); /* the next execution has nothing in common with this one */
	mz_engine_begin(engine);
	mz_engine_schedule(engine);
	mz_engine_abandon(engine);
	assert_true(mz_engine_aborted(engine));
	mz_engine_free(engine);
	assert_int_equal(mz_engine_threads(NULL), 0);
	assert_int_equal(mz_engine_depth(NULL), 0);
	assert_int_equal(mz_engine_aborted(NULL), 0);
	assert_int_equal(mz_engine_abandon(NULL), -1);
	assert_int_equal(mz_engine_yield(NULL, 0), -1);
	assert_int_equal(mz_engine_wait(NULL, 0, MZ_ENGINE_JOIN, 1), -1);
	assert_int_equal(mz_engine_declare(NULL, MZ_ENGINE_TAKE, 1, 1), -1);
	assert_int_equal(mz_engine_bound(NULL), MZ_ENGINE_NO_BOUND);
	assert_string_equal(mz_engine_incomplete(NULL), "there is no engine");
}

/* ---- as published ---- */

/* The published form of `optimal` runs as many executions as its source says where one thread writes and others read;
 * runs a counter's graphs more than once; and does not know that critical sections may come in another order. */
static void test_as_published(void **state)
{
	struct host readers = {.threads = {"W1", "R1", "R1", "R1"}}, counter = {.threads = {"R1 W1", "R1 W1"}},
	            sections = {.threads = {"L0 W1 U0", "L0 W1 U0"}};
	const mz_engine_options options = {.as_published = 1};
	(void)state;
	struct outcome o = explore(&readers, options);
	assert_int_equal(o.counts.executions, 8);
	assert_int_equal(o.counts.traces, 8);
	assert_string_equal(o.incomplete, "published form: not exhaustive");
	o = explore(&counter, options);
	assert_int_equal(o.counts.executions, 6);
	assert_int_equal(o.counts.traces, 4);
	o = explore(&sections, options);
	assert_int_equal(o.counts.traces, 1);
	assert_int_equal(explore(&sections, (mz_engine_options){0}).counts.traces, 2);
	struct host writers = {.threads = {"W1", "W1 R2", "R3 R1"}}; /* what is missed needs no locks */
	assert_int_equal(explore(&writers, options).counts.traces, 4);
	assert_int_equal(explore(&writers, (mz_engine_options){.strategy = "dfs"}).counts.traces, 6);
}

/* To the published form of `optimal` locks order accesses, but not input and output: neither where the lock is not held,
 * nor where it is. Everything else takes both for accesses, and the order of the lock for what it explores. */
static void test_io(void **state)
{
	struct host apart = {.threads = {"I1 L0 U0", "L0 U0 I1"}}, same = {.threads = {"W1 L0 U0", "L0 U0 W1"}},
	            under = {.threads = {"L0 I1 U0", "L0 I1 U0"}};
	const mz_engine_options published = {.as_published = 1};
	(void)state;
	assert_int_equal(explore(&same, published).counts.traces, 1);
	struct outcome o = explore(&apart, published);
	assert_int_equal(o.counts.traces, 2); /* the third needs another order of the lock after the same first step */
	assert_int_equal(o.counts.executions, 2);
	assert_int_equal(explore(&under, published).counts.traces, 2);
	const char *const exact[] = {"optimal", "source", "dpor-cr", "dfs"};
	for (int n = 0; n < 4; n++) {
		const mz_engine_options options = {.strategy = exact[n]};
		assert_int_equal(explore(&same, options).counts.traces, 3);
		assert_int_equal(explore(&apart, options).counts.traces, 3);
		assert_int_equal(explore(&under, options).counts.traces, 2);
	}
}

/* ---- misuse ---- */

static mz_engine *in_a_step(void)
{
	mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 2}, NULL, 0);
	mz_engine_begin(engine);
	assert_int_equal(mz_engine_schedule(engine), 0);
	return engine;
}

static void assert_wrong(mz_engine *engine, int result, const char *text)
{
	assert_int_equal(result, -1);
	assert_string_equal(mz_engine_error(engine), text);
	assert_int_equal(mz_engine_schedule(engine), MZ_ENGINE_ERROR);
	assert_true(mz_engine_aborted(engine));
	mz_engine_free(engine);
}

static void test_misuse_of_steps(void **state)
{
	(void)state;
	mz_engine *e = in_a_step();
	mz_engine_sync(e, 0, MZ_ENGINE_ACQUIRE, 1);
	assert_wrong(e, mz_engine_sync(e, 0, MZ_ENGINE_ACQUIRE, 2),
	             "step 1 gets two things for which thread 0 may have had to wait: these are two steps");
	e = in_a_step();
	mz_engine_access(e, 0, 1, MZ_READ);
	assert_wrong(e, mz_engine_sync(e, 0, MZ_ENGINE_TRY, 2), "a step that tries something can do nothing else");
	e = in_a_step();
	mz_engine_sync(e, 0, MZ_ENGINE_TRY, 2);
	assert_wrong(e, mz_engine_access(e, 0, 1, MZ_READ),
	             "mz_engine_access: the step tries something, and can do nothing else");
	e = in_a_step();
	assert_wrong(e, mz_engine_sync(e, 0, MZ_ENGINE_TAKE, 2), "semaphore 2 has no unit that could be taken");
	e = in_a_step();
	assert_wrong(e, mz_engine_sync(e, 0, MZ_ENGINE_AWAIT, 2), "flag 2 is not set: it cannot have been awaited");
	e = in_a_step();
	mz_engine_declare(e, MZ_ENGINE_TAKE, 2, 2);
	mz_engine_sync(e, 0, MZ_ENGINE_TAKE, 2);
	assert_wrong(e, mz_engine_sync(e, 0, MZ_ENGINE_TAKE, 2),
	             "step 1 takes two units of semaphore 2: these are two steps");
	e = in_a_step();
	mz_engine_sync(e, 0, MZ_ENGINE_ACQUIRE, 2);
	mz_engine_yield(e, 0);
	assert_wrong(e, mz_engine_schedule(e) == MZ_ENGINE_ERROR ? -1 : 0,
	             "step 1 yields, and gets or tries something: these are two steps");
}

static void test_misuse_of_waits(void **state)
{
	(void)state;
	mz_engine *e = in_a_step();
	assert_wrong(e, mz_engine_wait(e, 1, MZ_ENGINE_POST, 2), "mz_engine_wait: a thread cannot wait for the kind 6");
	e = in_a_step();
	assert_wrong(e, mz_engine_wait(e, 1, MZ_ENGINE_JOIN, 1), "there is no thread 1 to join");
	e = in_a_step();
	mz_engine_finish_thread(e, 0);
	assert_wrong(e, mz_engine_wait(e, 0, MZ_ENGINE_JOIN, 1), "mz_engine_wait: thread 0 is finished");
	e = in_a_step();
	mz_engine_sync(e, 0, MZ_ENGINE_POST, 2);
	assert_wrong(e, mz_engine_declare(e, MZ_ENGINE_TAKE, 2, 1),
	             "mz_engine_declare: semaphore 2 was used or declared otherwise before");
	e = in_a_step();
	assert_wrong(e, mz_engine_declare(e, MZ_ENGINE_POST, 2, 1),
	             "mz_engine_declare: only semaphores (MZ_ENGINE_TAKE) and flags (MZ_ENGINE_AWAIT) have a state to "
	             "begin with");
	e = mz_engine_new(&(mz_engine_options){.threads = 2}, NULL, 0);
	assert_wrong(e, mz_engine_abandon(e), "mz_engine_abandon: no execution is under way");
}

/* A thread that was said to wait for a lock alone does more: the engine would have counted on that. */
static void test_more_than_was_said(void **state)
{
	(void)state;
	mz_engine *e = in_a_step();
	mz_engine_sync(e, 0, MZ_ENGINE_ACQUIRE, 3);
	assert_int_equal(mz_engine_block(e, 1, 3), 0);
	assert_int_equal(mz_engine_schedule(e), 0);
	mz_engine_sync(e, 0, MZ_ENGINE_RELEASE, 3);
	mz_engine_finish_thread(e, 0);
	assert_int_equal(mz_engine_unblock(e, 1), 0);
	assert_int_equal(mz_engine_schedule(e), 1);
	mz_engine_sync(e, 1, MZ_ENGINE_ACQUIRE, 3);
	mz_engine_access(e, 1, 7, MZ_WRITE);
	assert_wrong(e, mz_engine_schedule(e) == MZ_ENGINE_ERROR ? -1 : 0,
	             "step 3 does more than to get the lock that thread 1 was blocked at: say what threads wait for "
	             "with mz_engine_wait");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_semaphore),
	    cmocka_unit_test(test_queue),
	    cmocka_unit_test(test_flag),
	    cmocka_unit_test(test_join),
	    cmocka_unit_test(test_nothing_is_futile),
	    cmocka_unit_test(test_cleared_within_bounds),
	    cmocka_unit_test(test_try),
	    cmocka_unit_test(test_lock_given_back_by_another),
	    cmocka_unit_test(test_whole_section_in_a_step),
	    cmocka_unit_test(test_yields),
	    cmocka_unit_test(test_abandon),
	    cmocka_unit_test(test_abandon_what_is_known),
	    cmocka_unit_test(test_abandon_for_ever),
	    cmocka_unit_test(test_iterate),
	    cmocka_unit_test(test_memory),
	    cmocka_unit_test(test_reads_in_vain),
	    cmocka_unit_test(test_properties),
	    cmocka_unit_test(test_as_published),
	    cmocka_unit_test(test_io),
	    cmocka_unit_test(test_misuse_of_steps),
	    cmocka_unit_test(test_misuse_of_waits),
	    cmocka_unit_test(test_more_than_was_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
