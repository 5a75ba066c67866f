/* SPDX-License-Identifier: MIT
 *
 * The engine alone: for interpreters, simulators and other hosts that do their own scheduling and can run the same
 * thing again and again. The host runs its threads, the engine says which thread goes next. Link with -lmazurka-engine
 * (pkg-config mazurka-engine).
 *
 *     mz_engine *engine = mz_engine_new(&(mz_engine_options){.threads = 2});
 *     do {
 *             mz_engine_begin(engine);
 *             int thread;
 *             while ((thread = mz_engine_schedule(engine)) >= 0) {
 *                     // run that thread up to and including its next visible operation, then say what it did:
 *                     mz_engine_access(engine, thread, object, MZ_WRITE);
 *                     // and that was its last one:
 *                     mz_engine_finish_thread(engine, thread);
 *             }
 *             // all threads are finished, or none can go on: look at what came out
 *     } while (mz_engine_next(engine));
 *     mz_engine_free(engine);
 *
 * A *step* is what a thread does from mz_engine_schedule() to the next call of it. Threads are numbers from 0; the
 * first `threads` are there from the start, others are spawned. Objects are any 64-bit numbers. Threads and objects
 * must be the same ones in every execution, whatever the interleaving: the n-th child of a thread is always the same
 * number.
 *
 * What a thread does, and whether it can go on, must depend only on what it did before and on the steps of other
 * threads that its own conflict with. An engine that finds that it does not, or is called in a way that makes no sense
 * (NULL for an engine is one), says so: the call fails, mz_engine_schedule() returns MZ_ENGINE_ERROR from then on, and
 * mz_engine_error() is one line that says why. The same happens if the engine finds a fault of its own: it never ends
 * the process.
 *
 * An engine is used by one thread at a time. Different engines have nothing in common.
 */
#ifndef MAZURKA_ENGINE_H
#define MAZURKA_ENGINE_H

#include <mazurka.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mz_engine mz_engine;

/* All zero is the default. */
typedef struct mz_engine_options {
	uint32_t threads;     /* how many threads there are from the start; 0 means 1 */
	const char *strategy; /* a name as for `mazurka run --strategy`; NULL means "optimal" */
	const char *order;    /* a name as for `mazurka run --order`; NULL means "dfs" */
	int tries_locks;      /* threads find out in their own step that a lock is held; see mz_engine_block() */
	int no_sleep;         /* without sleep sets, where the strategy has the choice */
	int bounded; /* explore only executions with at most `preemptions` preemptions; not all strategies can */
	uint32_t preemptions; /* a switch away from a thread that could have gone on is one */
	/* explore only executions that depart at most `delays` times from a fixed scheduler: it lets a thread go on, or
	 * else takes the next thread by number; a departure passes over one thread */
	int delayed;
	uint32_t delays;         /* see `delayed` */
	uint32_t max_depth;      /* explore only executions of at most so many steps; 0: no limit */
	uint64_t max_executions; /* 0: no limit */
	uint32_t max_steps;      /* limit on the steps of an execution; 0 means 100000 */
	int count_traces;        /* count the distinct happens-before graphs of complete executions */
	uint64_t seed;           /* for random strategies and the order "random"; 0 means 1 */
	uint32_t depth;          /* for the strategy pct; 0 means 3 */
} mz_engine_options;

typedef struct mz_engine_counts {
	uint64_t executions; /* executions that ran to their end */
	/* executions that ended early: everything beyond was covered elsewhere, or a bound forbade it */
	uint64_t redundant;
	uint64_t traces; /* distinct happens-before graphs; 0 unless count_traces */
	uint64_t steps;  /* steps made for the first time: those shared with the execution before are not counted */
	/* executions made only to find out what threads do or wait for; they end with MZ_ENGINE_CUT */
	uint64_t futile;
} mz_engine_counts;

enum {
	MZ_ENGINE_DONE = -1,  /* the execution is over: all threads are finished, or none can go on */
	MZ_ENGINE_CUT = -2,   /* the execution is to be given up: it is redundant or futile, or a limit was reached */
	MZ_ENGINE_ERROR = -3, /* see mz_engine_error() */
};

typedef enum mz_engine_sync_kind {
	MZ_ENGINE_ACQUIRE, /* the thread got the lock `id` */
	MZ_ENGINE_RELEASE, /* it gave the lock `id` back */
	MZ_ENGINE_SPAWN,   /* it created the thread `id`, which is there from now on */
	MZ_ENGINE_JOIN,    /* it learned that the thread `id` has finished: the step comes after its last one */
} mz_engine_sync_kind;

/* Makes an engine. Returns NULL, and leaves one line in `error` (which may be NULL) of at most `size` bytes, if the
 * options make no sense or there is no memory. The strings of the options are not kept. */
mz_engine *mz_engine_new(const mz_engine_options *options, char *error, size_t size);
void mz_engine_free(mz_engine *engine);

/* Starts an execution: there are the first threads only, and nothing is locked. Returns 0, or -1. */
int mz_engine_begin(mz_engine *engine);

/* Ends the step under way and returns the thread that goes next, or one of the negative values above. */
int mz_engine_schedule(mz_engine *engine);

/* Says that the running thread's step touches an object. A step may touch several objects, as one operation. Returns 0,
 * or -1. */
int mz_engine_access(mz_engine *engine, uint32_t thread, uint64_t object, mz_access_kind kind);

/* Says that the running thread's step synchronizes. A step that acquires or releases a lock does nothing else that is
 * visible. Locks and objects have numbers of their own: lock 1 is not object 1. Returns 0, or -1. */
int mz_engine_sync(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id);

/* Says that the thread cannot go on from now on: it waits for the lock `lock`, or, with MZ_ENGINE_NO_LOCK, for
 * something else (the end of a thread, a flag, a message). There are two kinds of hosts. One kind knows what its
 * threads want, and says so between steps: a thread that would have to wait is blocked before it is scheduled. The
 * other kind (tries_locks) lets a thread try in its own step, and blocks it there: the attempt is a step that looked at
 * the lock. Returns 0, or -1. */
#define MZ_ENGINE_NO_LOCK UINT64_MAX
int mz_engine_block(mz_engine *engine, uint32_t thread, uint64_t lock);
/* Says that a blocked thread can go on again. If it waited for no lock, then what it waited for is taken to be
 * something that the running thread does in the step under way: the next step of the unblocked thread touches what that
 * step changed, or joins that thread; otherwise it just comes after that step. Returns 0, or -1. */
int mz_engine_unblock(mz_engine *engine, uint32_t thread);

/* Says that the thread has made its last step. Returns 0, or -1. */
int mz_engine_finish_thread(mz_engine *engine, uint32_t thread);

/* Ends the execution. Returns 1 if there is another one to be run, 0 if not: everything was explored, a limit was
 * reached, or something is wrong (mz_engine_complete() and mz_engine_error() tell which). */
int mz_engine_next(mz_engine *engine);

mz_engine_counts mz_engine_count(const mz_engine *engine);
/* Returns whether everything within the bounds was explored. */
int mz_engine_complete(const mz_engine *engine);
/* Returns one line that says what is wrong with the engine, or NULL if nothing is. It is valid until the engine is
 * freed. */
const char *mz_engine_error(const mz_engine *engine);
/* Returns the schedule of the execution under way, as thread numbers; it is empty before the execution begins. It is
 * valid until the next step. `length` may be NULL. */
const uint32_t *mz_engine_trace(const mz_engine *engine, uint32_t *length);

#ifdef __cplusplus
}
#endif
#endif
