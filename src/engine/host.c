/* SPDX-License-Identifier: MIT
 *
 * The engine for foreign hosts (include/mazurka/engine.h): an executor turned inside out. The host's calls between two
 * mz_engine_schedule() make up one event; the view is kept from what the host says about its threads.
 *
 * While the schedule is known the search is neither asked nor told; what the host reports is then compared, by hashes,
 * with what it reported at that step before: what the step did, and which threads could go before it. A step that the
 * search demands has to be what it was elsewhere.
 *
 * A join is ordered after the end of its thread before it is observed; so is a step after the one that woke its thread,
 * unless they conflict (mz_search_note_waker()). If a thread waits at the end for something that is no lock, it is not
 * known what it would do: it is said to touch everything that was ever touched.
 *
 * A broken invariant of the search never ends the host's process. The functions that ask the search run in enter(): the
 * bug's escape comes back there by a long jump, and the engine has failed. From then on nothing of the search is used
 * but mz_search_free(): its structures own what they have allocated at all times.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "base/hash.h"
#include "base/table.h"
#include "engine/search.h"
#include <limits.h>
#include <mazurka/engine.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MZ_API __attribute__((visibility("default")))
#define THREADS_MAX 1000000U
#define MZ_NO_STEP UINT32_MAX

enum state { STATE_NEW, STATE_READY, STATE_RUNNING, STATE_OVER, STATE_FINISHED };

struct host_thread {
	bool born;
	bool finished;
	bool tried;            /* the thread waits because it tried to get a lock */
	uint32_t waker;        /* the step that let it go on after it had waited for something unknown, or MZ_NO_STEP */
	uint32_t since;        /* if there is a waker: the number of steps before the thread began to wait */
	struct mz_access lock; /* the lock that it waits for */
};

/* The step under way, as far as the host has reported it. */
struct host_step {
	uint32_t thread; /* the thread that makes the step, or MZ_NO_THREAD between steps */
	enum mz_op op;
	bool synchronizes; /* it uses a lock, and may do nothing else */
	uint64_t hash;
};

struct edge {
	uint32_t before, after;
};

struct past {
	uint32_t thread;
	uint64_t could; /* a hash of which threads could go */
	uint64_t did;   /* a hash of what the step did */
};

struct host_lock {
	uint64_t lock;
	uint32_t holder;
};

struct mz_engine {
	struct mz_search *search;
	enum state state;
	uint32_t first_threads;
	uint32_t max_steps;
	uint64_t max_executions;
	bool tries_locks;
	bool samples;         /* the strategy samples, and never is complete */
	bool never_redundant; /* the strategy never gives up an execution as redundant */
	bool first_execution;
	bool complete;
	bool limited; /* an execution was ended by max_steps */
	bool cut;
	struct host_step step;
	struct mz_access *accesses; /* the accesses of the step */
	size_t naccesses, accesses_capacity;
	struct edge *edges; /* the order edges of the step */
	size_t nedges, edges_capacity;
	struct host_thread *threads;
	struct mz_pending *pending;
	size_t nthreads, threads_capacity, pending_capacity;
	uint64_t could;                /* which threads can go: a sum of hashes */
	uint32_t ncould;               /* how many threads can go */
	struct mz_table known_objects; /* names of objects: 1 + where they are in `everything` */
	struct mz_access *everything;  /* a write to each object that was ever touched */
	size_t neverything, everything_capacity;
	uint32_t current;
	struct past *past; /* the steps of this execution; the first `known` are those of the one before */
	size_t past_capacity;
	uint32_t *schedule; /* the threads of these steps, for mz_engine_trace() */
	size_t schedule_capacity;
	uint32_t nsteps;
	struct host_lock *held;
	size_t nheld, held_capacity;
	uint32_t known;
	char error[200];
	bool failed;
	jmp_buf *escape; /* where control returns to if an invariant is broken */
};

/* ---- errors ---- */

__attribute__((format(printf, 2, 3))) static int fail(mz_engine *engine, const char *format, ...)
{
	va_list arguments;
	if (engine->failed) return -1;
	engine->failed = true;
	va_start(arguments, format);
	vsnprintf(engine->error, sizeof engine->error, format, arguments);
	va_end(arguments);
	return -1;
}

static int no_memory(mz_engine *engine)
{
	return fail(engine, "out of memory");
}

/* The engine whose search this thread of the host is running, or NULL. */
static _Thread_local mz_engine *entered;

static void escape(const char *line)
{
	if (!entered) return;
	fail(entered, "%s", line);
	longjmp(*entered->escape, 1);
}

/* Calls `work`. Returns what it returns, or `otherwise` if an invariant was broken meanwhile. */
static int enter(mz_engine *engine, int (*work)(mz_engine *), int otherwise)
{
	jmp_buf here;
	mz_engine *outer = entered;
	volatile int result = otherwise;
	engine->escape = &here;
	entered = engine;
	if (setjmp(here) == 0) result = work(engine);
	entered = outer;
	return result;
}

/* Returns whether a call makes sense: an execution is under way, and the thread exists and is not finished. Fails the
 * engine if it does not. */
static bool check_thread(mz_engine *engine, uint32_t thread, const char *call)
{
	if (!engine || engine->failed) return false;
	if (engine->state != STATE_RUNNING)
		fail(engine, "%s: no execution is under way", call);
	else if (thread >= engine->nthreads || !engine->threads[thread].born)
		fail(engine, "%s: there is no thread %u", call, thread);
	else if (engine->threads[thread].finished)
		fail(engine, "%s: thread %u is finished", call, thread);
	return !engine->failed;
}

static bool check_running(mz_engine *engine, uint32_t thread, const char *call)
{
	if (!check_thread(engine, thread, call)) return false;
	if (engine->step.thread != thread) fail(engine, "%s: thread %u was not scheduled", call, thread);
	return !engine->failed;
}

/* ---- threads ---- */

static bool add_thread(mz_engine *engine)
{
	size_t n = engine->nthreads;
	bool full = n == engine->threads_capacity;
	if (!mz_array_reserve(&engine->threads, &engine->threads_capacity, n + 1)) return false;
	if (!mz_array_reserve(&engine->pending, &engine->pending_capacity, n + 1)) return false;
	for (uint32_t t = 0; t < n && full; t++) /* the threads may have moved, and their locks with them */
		if (engine->pending[t].naccesses) engine->pending[t].accesses = &engine->threads[t].lock;
	engine->threads[n] = (struct host_thread){.waker = MZ_NO_STEP};
	engine->pending[n] = (struct mz_pending){.status = MZ_THREAD_ABSENT, .op = MZ_OP_ACCESS, .alternatives = 1};
	engine->nthreads++;
	return true;
}

/* Sets what a thread is about to do, and keeps `could` up to date. Every such change is made here. */
static void set_pending(mz_engine *engine, uint32_t thread, struct mz_pending pending)
{
	bool could = engine->pending[thread].status == MZ_THREAD_ENABLED, can = pending.status == MZ_THREAD_ENABLED;
	engine->pending[thread] = pending;
	if (could == can) return;
	engine->could += can ? mz_mix(thread + 1ULL) : -mz_mix(thread + 1ULL);
	engine->ncould += can ? 1 : UINT32_MAX;
}

static void set_status(mz_engine *engine, uint32_t thread, enum mz_thread_status status)
{
	set_pending(engine, thread,
	            (struct mz_pending){.status = (uint8_t)status,
	                                .op = MZ_OP_ACCESS,
	                                .alternatives = 1,
	                                .since = engine->nsteps + (engine->step.thread != MZ_NO_THREAD)});
}

static void give_birth(mz_engine *engine, uint32_t thread)
{
	engine->threads[thread] = (struct host_thread){.born = true, .waker = MZ_NO_STEP};
	set_status(engine, thread, MZ_THREAD_ENABLED);
}

static void reset_threads(mz_engine *engine)
{
	for (uint32_t t = 0; t < engine->nthreads; t++) {
		engine->threads[t].born = false;
		set_status(engine, t, MZ_THREAD_ABSENT);
		if (t < engine->first_threads) give_birth(engine, t);
	}
}

/* ---- making and freeing ---- */

static bool choose_options(const mz_engine_options *given, struct mz_search_options *options, char *error, size_t size)
{
	const char *strategy = given->strategy ? given->strategy : "optimal",
	           *order = given->order ? given->order : "dfs";
	*options = (struct mz_search_options){.strategy = mz_strategy_find(strategy),
	                                      .count_traces = given->count_traces,
	                                      .untold = true,
	                                      .no_sleep = given->no_sleep,
	                                      .order = mz_order_find(order),
	                                      .bounded = given->bounded,
	                                      .preemptions = given->preemptions,
	                                      .delayed = given->delayed,
	                                      .delays = given->delays,
	                                      .max_depth = given->max_depth,
	                                      .seed = given->seed ? given->seed : 1,
	                                      .depth = given->depth ? given->depth : 3,
	                                      .max_executions = given->max_executions};
	if (!options->strategy)
		snprintf(error, size, "there is no strategy '%s'", strategy);
	else if (mz_strategy_stateful(options->strategy))
		snprintf(error, size, "the strategy '%s' goes back to states: not for hosts", strategy);
	else if (options->order == MZ_ORDER_COUNT)
		snprintf(error, size, "there is no order '%s'", order);
	else if (given->threads > THREADS_MAX)
		snprintf(error, size, "%u threads are too many", given->threads);
	else if (!mz_strategy_method(options->strategy, mz_bounds_given(options)))
		snprintf(error, size, "the strategy '%s' cannot be bounded%s", strategy,
		         mz_strategy_bounds(options->strategy) ? " in this way" : "");
	else if (mz_strategy_foresees(mz_strategy_method(options->strategy, mz_bounds_given(options))))
		snprintf(error, size, "the strategy '%s' has to know what threads are about to do: not for hosts",
		         mz_strategy_name_of(mz_strategy_method(options->strategy, mz_bounds_given(options))));
	else if (mz_strategy_samples(options->strategy) && !given->max_executions)
		snprintf(error, size, "the strategy '%s' never ends: set max_executions", strategy);
	else
		return true;
	return false;
}

MZ_API mz_engine *mz_engine_new(const mz_engine_options *given, char *error, size_t size)
{
	static const mz_engine_options defaults;
	struct mz_search_options options = {0};
	char unwanted[1];
	if (!error) {
		error = unwanted;
		size = sizeof unwanted;
	}
	if (!given) given = &defaults;
	if (!choose_options(given, &options, error, size)) return NULL;
	mz_engine *engine = mz_alloc(sizeof *engine);
	if (engine)
		*engine = (mz_engine){.state = STATE_NEW, .first_execution = true, .step = {.thread = MZ_NO_THREAD}};
	if (engine) engine->search = mz_search_new(&options);
	if (!engine || !engine->search) {
		snprintf(error, size, "out of memory");
		mz_engine_free(engine);
		return NULL;
	}
	engine->first_threads = given->threads ? given->threads : 1;
	engine->max_steps = given->max_steps ? given->max_steps : 100000;
	engine->max_executions = given->max_executions;
	engine->tries_locks = given->tries_locks;
	engine->samples = mz_strategy_samples(options.strategy);
	engine->never_redundant =
	    mz_strategy_never_redundant(mz_strategy_method(options.strategy, mz_bounds_given(&options)));
	mz_bug_escape(escape);
	return engine;
}

MZ_API void mz_engine_free(mz_engine *engine)
{
	if (!engine) return;
	mz_search_free(engine->search);
	mz_free(engine->accesses);
	mz_free(engine->edges);
	mz_free(engine->threads);
	mz_free(engine->pending);
	mz_free(engine->past);
	mz_free(engine->schedule);
	mz_free(engine->held);
	mz_free(engine->everything);
	mz_table_release(&engine->known_objects);
	mz_free(engine);
}

/* ---- a step ---- */

static bool is_known(const mz_engine *engine)
{
	return engine->nsteps < engine->known;
}

static void step_start(mz_engine *engine, uint32_t thread)
{
	engine->step = (struct host_step){.thread = thread, .op = MZ_OP_YIELD};
	engine->naccesses = engine->nedges = 0;
}

static void step_add(mz_engine *engine, uint64_t what, uint64_t which)
{
	engine->step.hash = mz_hash2(engine->step.hash + what, which);
}

/* Returns whether an event is the same as `before`, what the thread did when the event came later. */
static bool is_same(const struct mz_event *event, const struct mz_event *before)
{
	bool same = event->op == before->op && event->naccesses == before->naccesses;
	for (unsigned n = 0; same && n < event->naccesses; n++) {
		const struct mz_access *a = &event->accesses[n], *b = &before->accesses[n];
		same = a->object == b->object && a->kind == b->kind;
	}
	return same;
}

/* Tells the search of order edges: those that lead to the thread of the step (`before`), or the others. */
static void tell_edges(mz_engine *engine, bool before)
{
	for (size_t n = 0; n < engine->nedges; n++) {
		const struct edge *edge = &engine->edges[n];
		if ((edge->after == engine->step.thread) == before)
			mz_search_order(engine->search, edge->before, edge->after);
	}
}

static void tell_event(mz_engine *engine)
{
	const struct host_step *step = &engine->step;
	const struct mz_event event = {.thread = step->thread,
	                               .alternatives = 1,
	                               .op = (uint16_t)step->op,
	                               .naccesses = (uint16_t)engine->naccesses,
	                               .accesses = engine->accesses};
	const struct mz_event *demanded = mz_search_demanded(engine->search);
	if (demanded && !is_same(&event, demanded)) {
		fail(engine, "step %u, of thread %u, is not what it was when steps that it conflicts with came before",
		     engine->nsteps + 1, step->thread);
		return;
	}
	tell_edges(engine, true);
	const struct host_thread *thread = &engine->threads[step->thread];
	if (thread->waker != MZ_NO_STEP) mz_search_note_waker(engine->search, thread->waker, thread->since, &event);
	mz_search_observe(engine->search, &event);
	tell_edges(engine, false);
}

/* Ends the step under way, and makes it an event; or, if it repeats one, checks that it is the same. */
static void step_end(mz_engine *engine)
{
	struct host_step *step = &engine->step;
	if (step->thread == MZ_NO_THREAD) return;
	struct past *past = &engine->past[engine->nsteps];
	if (!is_known(engine)) {
		tell_event(engine);
		past->did = step->hash;
	} else if (past->did != step->hash) {
		fail(engine, "step %u of thread %u is not what it was under the same schedule before",
		     engine->nsteps + 1, step->thread);
	}
	engine->threads[step->thread].waker = MZ_NO_STEP;
	engine->nsteps++;
	step_start(engine, MZ_NO_THREAD);
}

/* Adds an object that was touched to `everything`, because a thread that waits may be about to touch it too. */
static bool know_object(mz_engine *engine, uint64_t object)
{
	if (mz_table_find(&engine->known_objects, mz_mix(object))) return true;
	if (!mz_array_reserve(&engine->everything, &engine->everything_capacity, engine->neverything + 1))
		return !no_memory(engine);
	if (!mz_table_add(&engine->known_objects, mz_mix(object), engine->neverything + 1)) return !no_memory(engine);
	engine->everything[engine->neverything++] =
	    (struct mz_access){.object = object, .mask = 0xff, .kind = MZ_WRITE, .only_waited = true};
	return true;
}

static bool add_access(mz_engine *engine, struct mz_access access)
{
	if (!know_object(engine, access.object)) return false;
	if (engine->naccesses == UINT16_MAX) return !fail(engine, "a step touches more than %u objects", UINT16_MAX);
	if (!mz_array_reserve(&engine->accesses, &engine->accesses_capacity, engine->naccesses + 1))
		return !no_memory(engine);
	engine->accesses[engine->naccesses++] = access;
	return true;
}

MZ_API int mz_engine_access(mz_engine *engine, uint32_t thread, uint64_t object, mz_access_kind kind)
{
	if (!check_running(engine, thread, "mz_engine_access")) return -1;
	if ((unsigned)kind > MZ_WEAK_WRITE) return fail(engine, "mz_engine_access: there is no kind %d", (int)kind);
	if (engine->step.synchronizes)
		return fail(engine, "mz_engine_access: the step uses a lock, and can do nothing else");
	engine->step.op = MZ_OP_ACCESS;
	step_add(engine, 1 + (uint64_t)kind, object);
	return add_access(engine, (struct mz_access){.object = object, .mask = 0xff, .kind = (uint8_t)kind}) ? 0 : -1;
}

/* ---- locks ---- */

/* Returns the object of the search that stands for a lock. It is a hash, so that it differs from the numbers of the
 * host's objects. */
static uint64_t lock_object(uint64_t lock)
{
	return mz_mix(lock + 0x6d617a75726b61ULL);
}

static struct host_lock *find_held(mz_engine *engine, uint64_t lock)
{
	for (size_t n = 0; n < engine->nheld; n++)
		if (engine->held[n].lock == lock) return &engine->held[n];
	return NULL;
}

static int use_lock(mz_engine *engine, enum mz_op op, uint64_t lock, enum mz_access_kind kind, uint64_t before,
                    int16_t effect)
{
	if (engine->naccesses) return fail(engine, "a step that uses a lock can do nothing else");
	engine->step.op = op;
	engine->step.synchronizes = true;
	step_add(engine, 16 + (uint64_t)op, lock);
	struct mz_access access = {
	    .object = lock_object(lock), .before = before, .mask = 0xff, .kind = (uint8_t)kind, .effect = effect};
	return add_access(engine, access) ? 0 : -1;
}

static int acquire(mz_engine *engine, uint32_t thread, uint64_t lock)
{
	const struct host_lock *held = find_held(engine, lock);
	if (held)
		return fail(engine, "lock %llu is held by thread %u: thread %u cannot get it", (unsigned long long)lock,
		            held->holder, thread);
	if (!mz_array_reserve(&engine->held, &engine->held_capacity, engine->nheld + 1)) return no_memory(engine);
	engine->held[engine->nheld++] = (struct host_lock){lock, thread};
	return use_lock(engine, engine->tries_locks ? MZ_OP_TRYLOCK : MZ_OP_LOCK, lock, MZ_WRITE, 0, 1);
}

static int give_back(mz_engine *engine, uint32_t thread, uint64_t lock)
{
	struct host_lock *held = find_held(engine, lock);
	if (!held || held->holder != thread)
		return fail(engine, "lock %llu is not held by thread %u", (unsigned long long)lock, thread);
	*held = engine->held[--engine->nheld];
	return use_lock(engine, MZ_OP_UNLOCK, lock, MZ_WRITE, 1, -1);
}

/* ---- other threads ---- */

static int add_edge(mz_engine *engine, uint32_t before, uint32_t after)
{
	if (!mz_array_reserve(&engine->edges, &engine->edges_capacity, engine->nedges + 1)) return no_memory(engine);
	engine->edges[engine->nedges++] = (struct edge){before, after};
	return 0;
}

static int spawn(mz_engine *engine, uint32_t thread, uint64_t child)
{
	if (child >= THREADS_MAX) return fail(engine, "thread %llu is too large a number", (unsigned long long)child);
	while (engine->nthreads <= child)
		if (!add_thread(engine)) return no_memory(engine);
	if (engine->threads[child].born) return fail(engine, "thread %llu is there already", (unsigned long long)child);
	give_birth(engine, (uint32_t)child);
	if (!engine->step.synchronizes) engine->step.op = MZ_OP_ACCESS;
	step_add(engine, 2000, child);
	return add_edge(engine, thread, (uint32_t)child);
}

static int join(mz_engine *engine, uint32_t thread, uint64_t child)
{
	if (child >= engine->nthreads || child == thread || !engine->threads[child].born)
		return fail(engine, "there is no thread %llu to join", (unsigned long long)child);
	if (!engine->threads[child].finished)
		return fail(engine, "thread %llu is not finished: it cannot be joined", (unsigned long long)child);
	if (!engine->step.synchronizes) engine->step.op = MZ_OP_ACCESS;
	step_add(engine, 2001, child);
	return add_edge(engine, (uint32_t)child, thread);
}

MZ_API int mz_engine_sync(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id)
{
	if (!check_running(engine, thread, "mz_engine_sync")) return -1;
	switch (kind) {
	case MZ_ENGINE_ACQUIRE: return acquire(engine, thread, id);
	case MZ_ENGINE_RELEASE: return give_back(engine, thread, id);
	case MZ_ENGINE_SPAWN: return spawn(engine, thread, id);
	case MZ_ENGINE_JOIN: return join(engine, thread, id);
	}
	return fail(engine, "mz_engine_sync: there is no kind %d", (int)kind);
}

MZ_API int mz_engine_block(mz_engine *engine, uint32_t thread, uint64_t lock)
{
	if (!check_thread(engine, thread, "mz_engine_block")) return -1;
	struct host_thread *waiter = &engine->threads[thread];
	if (engine->pending[thread].status != MZ_THREAD_ENABLED)
		return fail(engine, "thread %u is blocked already", thread);
	if (lock == MZ_ENGINE_NO_LOCK) {
		waiter->tried = false;
		set_status(engine, thread, MZ_THREAD_WAITING);
	} else if (engine->tries_locks) {
		if (engine->step.thread != thread)
			return fail(engine, "thread %u does not wait for a lock in its own step", thread);
		if (use_lock(engine, MZ_OP_TRYLOCK, lock, MZ_READ, 1, 0) != 0) return -1;
		waiter->tried = true; /* it waits until a step of another thread lets it try again */
		set_status(engine, thread, MZ_THREAD_ABSENT);
	} else {
		waiter->lock = (struct mz_access){.object = lock_object(lock), .mask = 0xff, .kind = MZ_WRITE};
		set_pending(engine, thread,
		            (struct mz_pending){.status = MZ_THREAD_BLOCKED,
		                                .op = MZ_OP_LOCK,
		                                .naccesses = 1,
		                                .alternatives = 1,
		                                .accesses = &waiter->lock});
	}
	return 0;
}

/* Notes that the step under way lets a thread go on that waited for something unknown. */
static void note_wakeup(mz_engine *engine, uint32_t thread, uint32_t since)
{
	engine->threads[thread].since = since;
	bool other = engine->step.thread != thread && engine->step.thread != MZ_NO_THREAD;
	engine->threads[thread].waker = other ? engine->nsteps : MZ_NO_STEP;
}

MZ_API int mz_engine_unblock(mz_engine *engine, uint32_t thread)
{
	if (!check_thread(engine, thread, "mz_engine_unblock")) return -1;
	if (engine->pending[thread].status == MZ_THREAD_ENABLED)
		return fail(engine, "thread %u is not blocked", thread);
	const struct mz_pending was = engine->pending[thread];
	set_status(engine, thread, MZ_THREAD_ENABLED);
	if (was.status == MZ_THREAD_WAITING) note_wakeup(engine, thread, was.since);
	if (was.status != MZ_THREAD_ABSENT || engine->step.thread == MZ_NO_THREAD) return 0;
	return add_edge(engine, engine->step.thread, thread);
}

MZ_API int mz_engine_finish_thread(mz_engine *engine, uint32_t thread)
{
	if (!check_thread(engine, thread, "mz_engine_finish_thread")) return -1;
	engine->threads[thread].finished = true;
	set_status(engine, thread, MZ_THREAD_ABSENT);
	return 0;
}

/* ---- an execution ---- */

static int begin(mz_engine *engine)
{
	if (engine->failed) return -1;
	if (engine->state == STATE_RUNNING || engine->state == STATE_OVER)
		return fail(engine, "mz_engine_begin: the execution before is not over: call mz_engine_next");
	if (engine->state == STATE_FINISHED) return fail(engine, "mz_engine_begin: there is nothing left to explore");
	if (engine->state == STATE_NEW && !mz_search_next(engine->search, &engine->known)) return no_memory(engine);
	while (engine->nthreads < engine->first_threads)
		if (!add_thread(engine)) return no_memory(engine);
	engine->nsteps = 0;
	engine->nheld = 0;
	engine->cut = false;
	engine->current = MZ_NO_THREAD;
	engine->state = STATE_RUNNING;
	step_start(engine, MZ_NO_THREAD);
	reset_threads(engine);
	return 0;
}

MZ_API int mz_engine_begin(mz_engine *engine)
{
	return engine ? enter(engine, begin, -1) : -1;
}

static struct mz_view view_of(const mz_engine *engine)
{
	return (struct mz_view){(uint32_t)engine->nthreads, engine->current, engine->pending};
}

static bool past_reserve(mz_engine *engine)
{
	return mz_array_reserve(&engine->past, &engine->past_capacity, engine->nsteps + 1UL) &&
	       mz_array_reserve(&engine->schedule, &engine->schedule_capacity, engine->nsteps + 1UL);
}

static int over(mz_engine *engine, int why)
{
	engine->state = STATE_OVER;
	engine->cut = why == MZ_ENGINE_CUT;
	return why;
}

static int ask(mz_engine *engine)
{
	struct mz_view view = view_of(engine);
	struct mz_step step = mz_search_choose(engine->search, &view);
	if (step.thread < engine->nthreads && engine->pending[step.thread].status == MZ_THREAD_ENABLED)
		return (int)step.thread;
	if (step.thread != MZ_NO_THREAD) {
		fail(engine, "after step %u thread %u cannot go on, and it could when other steps came before",
		     engine->nsteps, step.thread);
		return MZ_ENGINE_ERROR;
	}
	if (!mz_search_failed(engine->search)) return MZ_ENGINE_CUT;
	no_memory(engine);
	return MZ_ENGINE_ERROR;
}

static int schedule(mz_engine *engine)
{
	if (!engine->failed && engine->state != STATE_RUNNING)
		fail(engine, "mz_engine_schedule: no execution is under way");
	if (!engine->failed) step_end(engine);
	if (engine->failed) return MZ_ENGINE_ERROR;
	if (!past_reserve(engine)) return no_memory(engine), MZ_ENGINE_ERROR;
	struct past *past = &engine->past[engine->nsteps];
	bool seen = engine->nsteps <= engine->known && !engine->first_execution;
	if (seen && past->could != engine->could) {
		fail(engine, "after step %u other threads can go than under the same schedule before", engine->nsteps);
		return MZ_ENGINE_ERROR;
	}
	if (engine->ncould == 0) return over(engine, mz_search_probes(engine->search) ? MZ_ENGINE_CUT : MZ_ENGINE_DONE);
	if (engine->nsteps >= engine->max_steps) {
		engine->limited = true;
		return over(engine, MZ_ENGINE_CUT);
	}
	past->could = engine->could;
	int thread = is_known(engine) ? (int)past->thread : ask(engine);
	if (thread < 0) return thread == MZ_ENGINE_CUT ? over(engine, thread) : thread;
	past->thread = engine->schedule[engine->nsteps] = engine->current = (uint32_t)thread;
	step_start(engine, (uint32_t)thread);
	return thread;
}

MZ_API int mz_engine_schedule(mz_engine *engine)
{
	return engine ? enter(engine, schedule, MZ_ENGINE_ERROR) : MZ_ENGINE_ERROR;
}

/* Makes threads that wait for something unknown pending with a write to everything, because they might do anything. */
static bool guess_waiting(mz_engine *engine)
{
	if (engine->neverything > UINT16_MAX) engine->neverything = UINT16_MAX + 1;
	for (uint32_t t = 0; t < engine->nthreads; t++) {
		struct mz_pending *pending = &engine->pending[t];
		if (pending->status != MZ_THREAD_WAITING) continue;
		if (engine->neverything > UINT16_MAX)
			return !fail(engine, "thread %u waits for ever, and it may be for any of more than %u objects",
			             t, UINT16_MAX);
		pending->accesses = engine->everything;
		pending->naccesses = (uint16_t)engine->neverything;
	}
	return true;
}

static int next(mz_engine *engine)
{
	if (engine->failed) return 0;
	if (engine->state != STATE_OVER) return fail(engine, "mz_engine_next: the execution is not over"), 0;
	if (!guess_waiting(engine)) return 0;
	struct mz_view view = view_of(engine);
	mz_search_end(engine->search, &view, engine->cut);
	engine->first_execution = false;
	struct mz_search_counts counts = mz_search_counts(engine->search);
	uint64_t ran = counts.executions + counts.redundant;
	bool enough = engine->max_executions && ran >= engine->max_executions;
	bool more = mz_search_next(engine->search, &engine->known);
	if (mz_search_failed(engine->search)) return no_memory(engine), 0;
	if (counts.redundant && engine->never_redundant && !engine->tries_locks)
		return fail(engine,
		            "execution %llu came to where everything was explored before: what threads can do "
		            "depends on something that was not reported",
		            (unsigned long long)ran),
		       0;
	engine->state = more && !enough ? STATE_READY : STATE_FINISHED;
	engine->complete = !more && !engine->limited && !engine->samples;
	return engine->state == STATE_READY;
}

MZ_API int mz_engine_next(mz_engine *engine)
{
	return engine ? enter(engine, next, 0) : 0;
}

/* ---- what is known ---- */

MZ_API mz_engine_counts mz_engine_count(const mz_engine *engine)
{
	if (!engine) return (mz_engine_counts){0};
	struct mz_search_counts counts = mz_search_counts(engine->search);
	return (mz_engine_counts){counts.executions, counts.redundant, counts.traces, counts.steps, counts.futile};
}

MZ_API int mz_engine_complete(const mz_engine *engine)
{
	return engine && engine->complete && !engine->failed;
}

MZ_API const char *mz_engine_error(const mz_engine *engine)
{
	if (!engine) return "there is no engine";
	return engine->failed ? engine->error : NULL;
}

MZ_API const uint32_t *mz_engine_trace(const mz_engine *engine, uint32_t *length)
{
	static const uint32_t none[1];
	uint32_t steps = engine ? engine->nsteps + (engine->step.thread != MZ_NO_THREAD) : 0;
	if (length) *length = steps;
	return steps ? engine->schedule : none;
}
