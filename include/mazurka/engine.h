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
 * A *step* is what a thread does from mz_engine_schedule() to the next call of it: whatever is to be said about it is said
 * before that call. A step of which nothing is said is a yield. Threads are numbers from 0; the
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
	/* explore only executions in which a thread that goes has yielded at most `yields` times more than any other
	 * thread that could go; with the strategy dfs */
	int fair;
	uint32_t yields; /* see `fair` */
	/* explore within 0 preemptions, then within 1, 2, ..., until nothing more is left out; or, if `bounded`, up to
	 * `preemptions` */
	int iterate;
	/* limit in bytes on what is remembered of all executions, by strategies that do that (cbpor; optimal within a
	 * bound); 0: no limit */
	uint64_t max_memory;
	int as_published; /* "optimal" as its source prints it: then the search may miss something */
} mz_engine_options;

typedef struct mz_engine_counts {
	uint64_t executions; /* executions that ran to their end, or to max_steps */
	/* executions that ended early: everything beyond was covered elsewhere, or a bound forbade it */
	uint64_t redundant;
	uint64_t traces; /* distinct happens-before graphs; 0 unless count_traces */
	uint64_t steps;  /* steps made for the first time: those shared with the execution before are not counted */
	/* executions made only to find out what threads do or wait for; they end with MZ_ENGINE_CUT */
	uint64_t futile;
	uint64_t abandoned;   /* executions that the host gave up; they are not among the others */
	uint64_t graph_bytes; /* what is remembered of all executions, see max_memory */
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
	/* Locks: */
	MZ_ENGINE_TRY,         /* it tried to get the lock `id`: it got it if nobody held it, else it goes on without */
	MZ_ENGINE_RELEASE_ANY, /* it gave the lock `id` back, whoever got it, or found that nobody held it */
	/* Semaphores and queues. Objects that are waited for in this way have units: */
	MZ_ENGINE_POST,     /* it added a unit to `id`; that commutes with other posts */
	MZ_ENGINE_PUT,      /* it added a unit to `id`, and the order of units matters, as in a queue */
	MZ_ENGINE_TAKE,     /* it took a unit from `id` */
	MZ_ENGINE_TRY_TAKE, /* it tried to take a unit from `id`: it got one if there was one, else it goes on without */
	/* Flags (events): */
	MZ_ENGINE_SET,   /* it set the flag `id` */
	MZ_ENGINE_CLEAR, /* it cleared the flag `id` */
	MZ_ENGINE_AWAIT, /* it went on because the flag `id` was set */
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

/* The same for input and output. It makes a difference only to "optimal" with as_published: that takes the order in which
 * threads get a lock for given, and so the order of what they do under it, but not that of input and output. Others
 * explore all orders of a lock, and of all that is done under it. Returns 0, or -1. */
int mz_engine_io(mz_engine *engine, uint32_t thread, uint64_t object, mz_access_kind kind);

/* Says that the running thread's step synchronizes. A step may synchronize in several ways and touch objects besides, as
 * one operation: get a lock, write, give the lock back. There are two exceptions. A thread can wait only before a step:
 * a step gets at most one lock, unit or flag that it may have had to wait for (what it gave back itself it may get
 * again). And what follows an attempt depends on its outcome: MZ_ENGINE_TRY, MZ_ENGINE_TRY_TAKE, MZ_ENGINE_RELEASE_ANY,
 * and with tries_locks MZ_ENGINE_ACQUIRE, are all that their step does. Locks, semaphores, flags and objects have
 * numbers of their own: lock 1 is not object 1. Returns 0, or -1. */
int mz_engine_sync(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id);

/* Says in which state a semaphore (MZ_ENGINE_TAKE: how many units it has) or a flag (MZ_ENGINE_AWAIT: 1 if it is set)
 * is when it comes into being; without this call that is 0. It is the same in every execution, and may be said again.
 * Returns 0, or -1. */
int mz_engine_declare(mz_engine *engine, mz_engine_sync_kind kind, uint64_t id, uint32_t state);

/* Says that the running thread makes no progress in this step: what fair bounds count. Returns 0, or -1. */
int mz_engine_yield(mz_engine *engine, uint32_t thread);

/* Says what the thread waits for: its next step gets the lock (MZ_ENGINE_ACQUIRE), a unit (MZ_ENGINE_TAKE) or the flag
 * (MZ_ENGINE_AWAIT) `id`, or joins the thread `id` (MZ_ENGINE_JOIN); it may do more. From then on the engine itself knows
 * when the thread can go on, and schedules it only then: it is neither blocked nor unblocked by the host. The call may
 * come whether the thread has to wait or not; it holds until the thread has made that step. Returns 0, or -1. */
int mz_engine_wait(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id);

/* Says that the thread cannot go on from now on: it waits for the lock `lock`, and does nothing in its next step but to
 * get it; or, with MZ_ENGINE_NO_LOCK, it waits for something else of which the engine is not told. (With mz_engine_wait()
 * it is, and fewer executions are futile.) There are two kinds of hosts. One kind knows what its
 * threads want, and says so between steps: a thread that would have to wait is blocked before it is scheduled. The
 * other kind (tries_locks) lets a thread try in its own step, and blocks it there: the attempt is a step that looked at
 * the lock. To block a thread again changes nothing. Returns 0, or -1. */
#define MZ_ENGINE_NO_LOCK UINT64_MAX
int mz_engine_block(mz_engine *engine, uint32_t thread, uint64_t lock);
/* Says that a blocked thread can go on again. If it waited for no lock, then what it waited for is taken to be
 * something that the running thread does in the step under way: the next step of the unblocked thread touches what that
 * step changed, or joins that thread; otherwise it just comes after that step. To unblock a thread that is not blocked changes nothing. Returns 0, or
 * -1. */
int mz_engine_unblock(mz_engine *engine, uint32_t thread);

/* Says that the thread has made its last step. To say so again changes nothing. Returns 0, or -1. */
int mz_engine_finish_thread(mz_engine *engine, uint32_t thread);

/* Gives up the execution under way, because it takes too long, or went wrong in the host; mz_engine_next() goes on with
 * the next one. The step under way counts for nothing. (A host that wants it to count calls mz_engine_schedule() before,
 * and does not run the thread that it gets.) What would have come later is not explored, so the search is not complete;
 * but an execution that was given up while it repeated steps of the one before is run again instead, up to ten times in
 * a row; the next time is an error. Does nothing if the execution is over. Returns 0, or -1. */
int mz_engine_abandon(mz_engine *engine);

/* Ends the execution. Returns 1 if there is another one to be run, 0 if not: everything was explored, a limit was
 * reached, or something is wrong (mz_engine_complete() and mz_engine_error() tell which). */
int mz_engine_next(mz_engine *engine);

mz_engine_counts mz_engine_count(const mz_engine *engine);
/* Returns whether everything within the bounds was explored. */
int mz_engine_complete(const mz_engine *engine);
/* Returns one line that says why not everything was explored (yet), or NULL if it was. */
const char *mz_engine_incomplete(const mz_engine *engine);
/* Returns whether the last execution ended before its end: it was cut (MZ_ENGINE_CUT), abandoned, or went wrong. */
int mz_engine_aborted(const mz_engine *engine);
/* Returns how deep the search is in its tree: the number of steps of the execution under way, or of those that the next
 * one begins with. */
uint32_t mz_engine_depth(const mz_engine *engine);
/* Returns how many threads there are, numbered from 0, in any execution so far. */
uint32_t mz_engine_threads(const mz_engine *engine);
/* Returns the bound on preemptions that is in force, or MZ_ENGINE_NO_BOUND. With `iterate`, counts are of this bound
 * alone. */
#define MZ_ENGINE_NO_BOUND UINT32_MAX
uint32_t mz_engine_bound(const mz_engine *engine);
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
