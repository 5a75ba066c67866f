/* SPDX-License-Identifier: MIT
 *
 * The engine for foreign hosts (include/mazurka/engine.h): an executor turned inside out. The host's calls between two
 * mz_engine_schedule() make up one event; the view is kept from what the host says about its threads.
 *
 *   failure.c    errors: the engine fails once, and says so from then on
 *   engine.c     engines are made, freed, and asked what they know
 *   threads.c    threads: birth, end, waiting
 *   step.c       the step under way, and the event that it becomes
 *   objects.c    locks, semaphores and flags: their states, and the steps that use them
 *   execution.c  an execution, from mz_engine_begin() to mz_engine_next()
 *
 * While the schedule is known the search is neither asked nor told; what the host reports is then compared, by hashes,
 * with what it reported at that step before: what the step did, and which threads could go before it. A step that the
 * search demands has to be what it was elsewhere.
 *
 * A join is ordered after the end of its thread before it is observed; so is a step after the one that woke its thread,
 * unless they conflict (mz_search_note_waker()). If a thread waits at the end for something that the host did not tell,
 * it is not known what it would do: it is said to touch everything that was ever touched.
 *
 * What a thread waits for may be announced (mz_engine_wait()): then the engine itself keeps track of whether the thread
 * can go on. The step may do more than what was announced, so its pending operation is `partial`.
 */
#ifndef MZ_ENGINE_HOST_HOST_H
#define MZ_ENGINE_HOST_HOST_H

#include "base/table.h"
#include "engine/search.h"
#include <mazurka/engine.h>

#define MZ_API __attribute__((visibility("default")))
#define MZ_HOST_THREADS_MAX 1000000U
#define MZ_NO_STEP UINT32_MAX

enum mz_host_state { STATE_NEW, STATE_READY, STATE_RUNNING, STATE_OVER, STATE_FINISHED };

struct mz_host_thread {
	bool born;
	bool finished;
	bool alone;      /* it was said to wait for a lock, and to do nothing in its next step but to get the lock */
	bool announced;  /* `wanted` says what it waits for */
	uint32_t waker;  /* the step that let it go on after it had waited for something unknown, or MZ_NO_STEP */
	uint32_t since;  /* if there is a waker: the number of steps before the thread began to wait */
	uint32_t joined; /* if it is announced that it joins a thread: that thread; else MZ_NO_THREAD */
	/* the step, plus one, in which what it is about to do changed last; 0 if that was between steps */
	uint32_t changed;
	uint32_t wanted_object;  /* where the object that it waits for is in `objects` of the engine */
	struct mz_access wanted; /* how it would touch that object */
};

/* What kind an object is that is no memory. Objects of different kinds may have the same number. */
enum mz_host_kind { KIND_LOCK, KIND_SEMAPHORE, KIND_FLAG, KIND_COUNT };

/* A lock, a semaphore or a flag. */
struct mz_host_object {
	uint64_t object; /* what stands for it in the search */
	uint32_t state;  /* 1 if the lock is held, the units of the semaphore, 1 if the flag is set */
	uint32_t first;  /* its state when an execution begins */
	uint32_t holder; /* of a lock that is held */
	bool told;       /* the host has said what `first` is */
};

/* The step under way, as far as the host has reported it. */
struct mz_host_step {
	uint32_t thread; /* the thread that makes the step, or MZ_NO_THREAD between steps */
	enum mz_op op;
	bool yields;
	bool releases; /* it gives back a lock */
	bool links;    /* it spawns or joins a thread */
	bool alone;    /* it was said to get a lock and to do nothing else */
	bool clears;   /* it takes something away that others may wait for */
	bool waits;    /* it gets something for which it may have had to wait: that is its first access */
	bool closed;   /* what it does depends on what it found: it may do nothing else */
	uint64_t hash;
};

struct mz_host_edge {
	uint32_t before, after;
};

struct mz_host_past {
	uint32_t thread;
	uint64_t could; /* a hash of which threads could go */
	uint64_t did;   /* a hash of what the step did */
};

struct mz_engine {
	struct mz_search *search;
	enum mz_host_state state;
	uint32_t first_threads;
	uint32_t max_steps;
	uint64_t max_executions;
	bool tries_locks;
	bool samples;         /* the strategy samples, and never is complete */
	bool never_redundant; /* the strategy never gives up an execution as redundant */
	bool may_miss;        /* the strategy may miss graphs, as published forms do */
	bool bounded;
	bool iterates;         /* the bound on preemptions is raised, from 0 to `last_bound` */
	uint32_t bound;        /* on preemptions, in force */
	uint32_t last_bound;   /* see `iterates` */
	uint64_t ran_before;   /* executions within smaller bounds */
	uint64_t given_before; /* how many of them were given up */
	bool first_execution;
	bool complete;
	bool limited;         /* an execution was ended by max_steps */
	bool enough;          /* max_executions was reached */
	bool full;            /* max_memory was reached */
	bool cut;             /* the execution was ended before its end */
	bool abandoned;       /* by the host */
	bool repeats;         /* where it only repeated what was done before: it is to be run again */
	uint32_t repetitions; /* how often that happened in a row */
	struct mz_host_step step;
	struct mz_access *accesses; /* the accesses of the step */
	size_t naccesses, accesses_capacity;
	struct mz_host_edge *edges; /* the order edges of the step */
	size_t nedges, edges_capacity;
	struct mz_host_thread *threads;
	struct mz_pending *pending;
	size_t nthreads, threads_capacity, pending_capacity;
	uint32_t nannounced;           /* how many threads have announced what they wait for */
	uint64_t could;                /* which threads can go: a sum of hashes */
	uint32_t ncould;               /* how many threads can go */
	struct mz_table known_objects; /* names of objects: 1 + where they are in `everything` */
	struct mz_access *everything;  /* a write to each object that was ever touched */
	size_t neverything, everything_capacity;
	struct mz_table numbers[KIND_COUNT]; /* numbers of the host: 1 + where they are in `objects` */
	struct mz_host_object *objects;
	size_t nobjects, objects_capacity;
	uint32_t current;
	struct mz_host_past *past; /* the steps of this execution; the first `known` are those of the one before */
	size_t past_capacity;
	uint32_t *schedule; /* the threads of these steps, for mz_engine_trace() */
	size_t schedule_capacity;
	uint32_t nsteps;
	uint32_t known;
	char error[200];
	bool failed;
	void *escape; /* where control returns to if an invariant is broken */
};

/* ---- failure.c ---- */

/* Makes the engine fail, unless it has failed before, with a line that says why. Returns -1. */
__attribute__((format(printf, 2, 3))) int mz_host_fail(mz_engine *engine, const char *format, ...);
int mz_host_no_memory(mz_engine *engine);
/* Calls `work`. Returns what it returns, or `otherwise` if an invariant was broken meanwhile. */
int mz_host_enter(mz_engine *engine, int (*work)(mz_engine *), int otherwise);
/* To be called once for each engine, before mz_host_enter(). */
void mz_host_catch_bugs(void);
/* Returns whether a call makes sense: an execution is under way, and the thread exists; with mz_host_check_running(),
 * also that it makes the step under way. Fails the engine if it does not. */
bool mz_host_check_thread(mz_engine *engine, uint32_t thread, const char *call);
bool mz_host_check_running(mz_engine *engine, uint32_t thread, const char *call);

/* ---- threads.c ---- */

/* Adds threads until there are so many. Returns false when there is no memory. */
bool mz_host_add_threads(mz_engine *engine, size_t count);
/* Makes the threads what they are when an execution begins. */
void mz_host_reset_threads(mz_engine *engine);
int mz_host_spawn(mz_engine *engine, uint32_t thread, uint64_t child);
int mz_host_join(mz_engine *engine, uint32_t thread, uint64_t child);
/* To be called after every step: sets for the threads that have announced what they wait for whether they can go on. */
void mz_host_look_at_threads(mz_engine *engine);
/* Ends the wait of a thread that is about to make a step. Returns whether it is to do nothing but to get a lock. */
bool mz_host_take_turn(mz_engine *engine, uint32_t thread);
/* Takes back what the step under way, which is given up, has said about threads. */
void mz_host_forget_changes(mz_engine *engine);

/* ---- step.c ---- */

static inline bool mz_host_is_known(const mz_engine *engine)
{
	return engine->nsteps < engine->known;
}

void mz_host_step_start(mz_engine *engine, uint32_t thread);
/* Ends the step under way, and makes it an event; or, if it repeats one, checks that it is the same. */
void mz_host_step_end(mz_engine *engine);
/* Adds something to the hash of the step. */
void mz_host_step_note(mz_engine *engine, uint64_t what, uint64_t which);
/* Adds an order edge between two threads to the step. Returns 0, or -1. */
int mz_host_add_edge(mz_engine *engine, uint32_t before, uint32_t after);
/* Adds an access to the step. Returns where it is; NULL when there is no memory, or no room in the step. */
struct mz_access *mz_host_add_access(mz_engine *engine, struct mz_access access);

/* ---- objects.c ---- */

/* Returns the object of that kind with the host's number; NULL when there is no memory. */
struct mz_host_object *mz_host_object(mz_engine *engine, enum mz_host_kind kind, uint64_t number);
void mz_host_reset_objects(mz_engine *engine);
/* Fills in how a thread would touch the object that it waits for by `kind`, and where the object is; `*op` is the
 * operation. Fails the engine, and returns false, if nobody can wait by that kind. */
bool mz_host_describe_wait(mz_engine *engine, mz_engine_sync_kind kind, uint64_t id, enum mz_op *op,
                           struct mz_host_thread *waiter);
/* Returns whether the operation of a thread that waits for that object can be executed. */
bool mz_host_passes(const mz_engine *engine, enum mz_op op, uint32_t object);
/* Reports that a thread tried in vain to get a lock for which it now waits (tries_locks). Returns 0, or -1. */
int mz_host_try_in_vain(mz_engine *engine, uint64_t lock);

#endif
