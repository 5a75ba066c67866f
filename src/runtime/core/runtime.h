/* SPDX-License-Identifier: MIT
 *
 * The state of the runtime: the library that is loaded into the program under test and runs its threads as fibers on
 * one kernel thread.
 *
 * Rules for all code under runtime/. It runs inside the program, on the stacks of its threads, with their thread-local
 * storage: it has no thread-local variables of its own, allocates only through base/alloc.h, calls no function of the C
 * library that this library replaces except through real.h, and keeps nothing of its own in memory that is rolled
 * back. Whatever depends on the execution is reset in parts.h or stamped with the execution's generation.
 */
#ifndef MZ_RUNTIME_CORE_RUNTIME_H
#define MZ_RUNTIME_CORE_RUNTIME_H

#include "base/array.h"
#include "base/map.h"
#include "base/random.h"
#include "runtime/core/caller.h"
#include "runtime/core/layout.h"
#include "session/executor.h"
#include "session/session.h"
#include "trace/finding.h"
#include <stddef.h>

#define MZ_LIKELY(x) __builtin_expect(!!(x), 1)
#define MZ_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* No part of its callers: who is called for nearly every access of the program is to be short, and to need little of
 * the stack, which checkpoints copy. */
#define MZ_NOINLINE __attribute__((noinline))
/* And hardly ever called. */
#define MZ_COLD __attribute__((cold, noinline))
#define MZ_EXPORT __attribute__((visibility("default")))
#define MZ_CALLER() mz_caller_of((uintptr_t)__builtin_return_address(0), __builtin_dwarf_cfa())
/* The same, in functions in which a thread may have to wait: its stack pointer is noted, for allowed.h. */
#define MZ_NOTED_CALLER(self) mz_caller_noted(self, (uintptr_t)__builtin_return_address(0), __builtin_dwarf_cfa())

#define MZ_CACHE_LINE 64

/* A vector clock of the program's own happens-before relation: what data races are judged by. Missing entries are 0. */
struct mz_clock {
	uint32_t *counts;
	uint32_t length;
	uint32_t capacity;
};

enum mz_fiber_state {
	MZ_FIBER_UNUSED,
	MZ_FIBER_RUNNING, /* between two visible operations, or ready to be brought to the next */
	MZ_FIBER_PENDING, /* at a visible operation, enabled or not: see the view */
	MZ_FIBER_WAITING, /* for a signal on a condition */
	MZ_FIBER_JOINING, /* for another thread's end */
	MZ_FIBER_EXITING, /* has asked for the end of the process */
	MZ_FIBER_FINISHED,
	MZ_FIBER_STOPPED, /* a finding ended it */
};

/* Random numbers: see chance.h. */
enum mz_chance_stream { MZ_CHANCE_RAND, MZ_CHANCE_48, MZ_CHANCE_SYSTEM, MZ_CHANCE_STREAMS };

struct mz_object;
struct mz_state;
struct mz_way;
struct mz_spin_log;

/* What is needed to see that a thread spins: see spin.h. */
struct mz_spin {
	uint32_t narrivals;          /* in its log */
	uint32_t nreads;             /* likewise */
	uint32_t nevents;            /* since it last did something else than reading */
	uint32_t narrivals_at_clock; /* value of narrivals when it last read a clock */
	uint16_t extra;              /* accesses of its pending operation that are only waited for */
	bool arrives;                /* at its pending operation it may be found to have come back later */
	struct mz_key state;
	uint8_t *base; /* end of that part of its stack that is the program's */
};

/* How a thread called its pending operation, or what it waits in, where states are told apart. */
struct mz_call {
	struct mz_caller from; /* if it was not noted, only the place is known */
	uint64_t phase;        /* operations that the call has been before */
};

/* Plain accesses that belong to a thread's next step: see touched.h. */
struct mz_carried {
	struct mz_access *accesses;
	size_t capacity;
	uint32_t count;
};

/* What a thread waits for. */
struct mz_waits {
	struct mz_fiber *thread;  /* whose end it waits for */
	struct mz_object *object; /* the mutex or condition it is blocked on */
	struct mz_object *mutex;  /* of the condition wait it is in, or NULL */
	uint32_t bits;            /* of the futex wait it is in: it is woken by any of them */
};

/* How often a thread did something: part of what its next one is called, or a limit. */
struct mz_counts {
	uint32_t children;
	uint32_t channels;    /* that it made */
	uint32_t openings;    /* of files, by it */
	uint32_t mapped;      /* pages that it has mapped, or left out: see mapping.h */
	uint32_t readings;    /* of clocks, where rounds are not recognised: see time.c */
	uint32_t faults;      /* calls of it that were made to fail */
	uint32_t late_yields; /* since the process was about to end */
};

/* What others ask of a thread: see request.h, point.h. */
struct mz_request_state {
	uint64_t blocked;         /* signals that it blocks */
	uint64_t awaited;         /* the requests that its pending operation awaits, among others */
	uintptr_t interrupted_at; /* the call that was interrupted, if it did not call that again since */
	uint32_t count_seen; /* value of the count of requests (mz_request_count_of) when the thread last checked */
	uint16_t op_awaited; /* enum mz_op: what the thread does once it can go on, if not its pending operation */
	uint8_t cancel_state, cancel_type;
};

struct mz_range {
	uintptr_t low, high;
};

/* The stack that handlers may ask for (sigaltstack). */
struct mz_alternate {
	uint8_t *low;
	size_t size; /* 0: there is none */
};

/* A fault that a thread handles. */
struct mz_trap {
	uintptr_t at; /* where it happened */
	uintptr_t address;
	int32_t signal; /* 0: there is none */
};

/* How a thread started. */
struct mz_start {
	void *entry; /* where the fiber starts, */
	void *argument;
	void *function; /* and the program's own function that it calls */
	void *parameter;
	uintptr_t created_at;
	bool c11; /* it runs an int (*)(void *) */
};

/* Room for more accesses than a thread has of its own. It never moves, see mz_accesses_room(). */
struct mz_room {
	struct mz_access *accesses;
	size_t capacity;
};

/* The numbers that the children of a thread have. */
struct mz_numbers {
	uint32_t *children;
	size_t capacity;
};

/* The region of the heap that a thread allocates from. */
struct mz_region {
	uint8_t *base;
	uint8_t *limit;
	uint8_t *next;   /* where the next block goes */
	uint32_t *large; /* blocks, see heap_large.c */
	uint32_t nlarge;
	size_t large_capacity;
};

/* What a thread knows of what others did, in the program's own happens-before relation. */
struct mz_clocks {
	struct mz_clock own;
	struct mz_clock released; /* at its last release fence */
	struct mz_clock acquired; /* what it will know after its next acquire fence */
};

/* The last call of a thread that was noted: where it came from, and the program's stack pointer there. */
struct mz_noted {
	uintptr_t place, sp;
};

/* A thread of the program. Its number, and so its stack, heap region and handle, depend only on who created it as
 * which child, never on the interleaving. */
struct mz_fiber {
	/* of the execution: of a thread that is over checkpoints copy only these members, which others may still
	 * change */
	_Alignas(MZ_CACHE_LINE) struct mz_fiber *joiner;
	uint8_t state; /* enum mz_fiber_state */
	bool detached;
	bool joined;
	bool is_barrier_serial;  /* the last barrier returned PTHREAD_BARRIER_SERIAL_THREAD to it */
	bool leaving;            /* it has begun to end: nobody can cancel it any more */
	bool affects_invariants; /* its pending operation writes to memory that invariants read */
	bool timed_out;          /* the wait under way, or the last */
	uint8_t clock_rounds;    /* rounds of a loop that reads clocks, since it last wrote something: at most
	                            MZ_CLOCK_ROUNDS */
	char name[16];           /* that the program gave it */

	/* lasting */
	uint32_t index;
	void *thread_pointer; /* lent by a parked thread */
	uint8_t *stack_low;
	uint8_t *stack_high;

	/* of the execution: checkpoints copy these members as they are, in whole cache lines */
	_Alignas(MZ_CACHE_LINE) void *sp; /* while it is not running */
	struct mz_fiber *next;            /* in the queue it is in */
	void *result;
	uint64_t time;      /* see time.h */
	uint64_t signature; /* of its pending operation */
	uintptr_t caller;   /* return address of the call that is its pending operation */
	struct mz_noted noted;
	struct mz_access *accesses;    /* of its pending operation */
	uint32_t naccesses_since;      /* plain accesses since its last visible operation */
	uint16_t ignores_accesses;     /* plain accesses are not looked at: how often it asked for that */
	bool function_returned;        /* the thread function has returned: its stack holds nothing of use */
	bool has_checked_requests : 1; /* no check for requests is due before its next operation */
	bool in_handler : 1; /* it runs a signal handler of the program: the runtime has frames on its stack */
	struct mz_access own_accesses[2];
	struct mz_spin spin;
	struct mz_waits waits;
	struct mz_counts counts;
	void *cleanup; /* its latest cleanup handler, see leaving.h */
	struct mz_random chance[MZ_CHANCE_STREAMS];
	struct mz_request_state requests;
	uintptr_t ended_at;   /* where it has ended, or begun to */
	struct mz_range lent; /* what others have accessed of its stack, in functions that have not returned since; high
	                         0: nothing */
	struct mz_alternate alternate;
	struct mz_trap trap;

	/* of the execution, since it was created */
	_Alignas(MZ_CACHE_LINE) struct mz_start start;

	/* lasting */
	struct mz_room room;
	struct mz_spin_log *spin_log; /* made on first use */
	struct mz_numbers numbers;
	uint8_t *stack_stored; /* where its stack begins in states that share memory */

	/* of the execution again, in room that lasts */
	struct mz_clocks clocks;
	uint8_t *stack_lowest; /* the deepest it has been seen */
	struct mz_region heap;
	struct mz_carried carried;
	struct mz_call call;
};

/* The explorer's own context, while a fiber runs. */
struct mz_root {
	void *sp;
	void *thread_pointer;
	uint64_t floating; /* the floating-point environment before main */
};

/* How executions run: set by the session, or by who runs them. */
struct mz_mode {
	bool searches_states;  /* threads pause at every choice, for whoever lets them go one by one: see stateful.h */
	bool follows_schedule; /* the whole schedule is given: it is followed without asking the driver */
	bool replaying;        /* everything is recorded, for a trace */
	bool stop_at_finding;
	bool points_all;      /* plain accesses are visible operations */
	bool volatile_atomic; /* volatile accesses are atomic, of relaxed order */
	bool races;           /* data races are looked for */
	bool spins;           /* threads that spin wait */
	bool reuse;           /* freed memory is handed out again */
	bool signals;         /* threads send signals to each other */
	bool cancels;         /* threads cancel each other */
	uint64_t faults;      /* calls that may fail: a bit for each of trace/fault.h */
};

/* What executions have shown of the program, so far. */
struct mz_seen {
	bool leaves_stacks; /* threads may run on other stacks than their own (swapcontext, sigaltstack) */
	bool unseen_stacks; /* they did, by code of their own: how much is in use of what they left is not known */
	bool moves_files;   /* one moved the position of a descriptor that was open before: no checkpoint has that */
};

/* The execution under way. */
struct mz_under_way {
	const struct mz_driver *driver;
	struct mz_step *schedule;
	uint64_t signature;   /* of what all threads would do next: a sum over those that are pending */
	uint64_t *signatures; /* at each choice, to tell when a known schedule leads somewhere else */
	uint32_t nsteps;
	uint32_t known;    /* steps of the schedule that are */
	uint32_t store_at; /* the depth at which a checkpoint is wanted */
	uint32_t max_steps;
	struct mz_view view;
	struct mz_pending *pending; /* of the view */
	uint32_t nenabled;
	uint32_t nsignalling; /* threads that are about to signal a condition */
	uint32_t choice;      /* of the step under way, among its alternatives */
	uint32_t nfindings;
	enum mz_end end;
	bool in_step;             /* a step was chosen and is not committed yet */
	bool preempted;           /* the last choice was a preemption */
	bool storing;             /* a checkpoint is stored before the next choice */
	bool asking;              /* the next choice is asked for, on the explorer's own stack */
	bool must_restart_search; /* operations touch more objects than was known */
	bool any_destroyed;       /* some object was destroyed */
	bool time_moved;          /* some thread's time has: see time.h */
	struct mz_fiber *ready;   /* created or released by a join, to be brought to a visible operation */
	struct mz_fiber **ready_tail;
};

/* The end of the program that a thread has asked for. */
struct mz_exit {
	struct mz_fiber *thread; /* NULL: none has */
	uint64_t words;          /* a hash of what was said of it: see said.h */
	int status;
};

struct mz_invariants {
	uint32_t count;
	bool evaluating; /* one is being evaluated */
	bool evaluated;  /* another one was, in the step under way */
};

/* What is explored. */
struct mz_program {
	int argc;
	char **argv;
	int (*body)(void *argument); /* returns an exit status */
	void *argument;
	uintptr_t function; /* the one of the program's own that it calls: traces name it */
	bool exit_handlers; /* are called when it returns */
};

struct mz_runtime {
	struct mz_session *session;
	struct mz_fiber *fibers;   /* MZ_SESSION_THREADS of them, at a fixed address */
	uint32_t nfibers;          /* numbers given out so far, over all executions */
	uint32_t generation;       /* of the execution; never 0 */
	uint32_t first_generation; /* of the first execution of the search: nothing of it is known yet */
	struct mz_mode mode;
	const struct mz_way *way; /* by mode.searches_states: see way.h */
	struct mz_seen seen;
	struct mz_invariants invariants;
	struct mz_under_way execution;
	struct mz_exit exit;
	struct mz_root root;
	struct mz_program program;
};

extern struct mz_runtime mz_rt;

/* The fiber that runs, or NULL while the program runs by itself: then every hook does what the real function does. */
extern struct mz_fiber *mz_current;

/* ---- running (scheduler.c) ---- */

/* Prepares everything that lasts, for the session: called once, before the first execution, after mz_fiber_init(). */
void mz_runtime_init(void);

/* Begins an execution: everything is as it was before main, and the fiber returned is about to call it. */
struct mz_fiber *mz_runtime_start(void);

/* Before an execution, once it is known how it runs: sets what is noted of calls (caller.h). */
void mz_runtime_note(void);

/* The executor: one execution, see session/executor.h. */
enum mz_end mz_runtime_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                           struct mz_view *view);

/* Where the running thread may be overtaken. Its accesses are in self->accesses. Returns when the thread has been
 * chosen: the caller then performs the operation, completes the accesses (`before`, `kind`) and calls mz_commit()
 * before anything else. The second form may find the thread not enabled. */
void mz_visible(struct mz_fiber *self, enum mz_op op, uint16_t naccesses, uint32_t alternatives, uintptr_t caller);
void mz_visible_if(struct mz_fiber *self, enum mz_op op, uint16_t naccesses, bool enabled, uintptr_t caller);
void mz_commit(struct mz_fiber *self, enum mz_op op, uint16_t naccesses, uint32_t alternatives);

/* The operation could not be performed: commits it as what it might have been, if it was not committed yet. */
void mz_commit_failed(struct mz_fiber *self);

/* Changes what the pending operation of a thread can do. */
void mz_set_enabled(struct mz_fiber *fiber, bool enabled);
/* The thread waits for what is no operation, and is not in the view. Returns when mz_make_ready() or mz_set_pending()
 * and a choice bring it back. */
void mz_suspend(struct mz_fiber *self, enum mz_fiber_state state);
/* Brings a suspended thread to its next visible operation before the next choice. */
void mz_make_ready(struct mz_fiber *fiber);
/* Gives a suspended thread a pending operation, from outside. */
void mz_set_pending(struct mz_fiber *fiber, enum mz_op op, uint16_t naccesses, bool enabled);

/* Ends the running thread. */
_Noreturn void mz_finish(struct mz_fiber *self, enum mz_fiber_state state);
/* Ends it too: what is on its stack is left behind properly (cleanup handlers of C, destructors of C++): leaving.c. */
_Noreturn void mz_leaving_unwind(struct mz_fiber *self, void *result);
/* Ends the execution at once. */
_Noreturn void mz_end_execution(enum mz_end end);
/* Ends it too: something is known now without which it cannot be repeated. */
_Noreturn void mz_restart_search(void);
/* Ends the run: the program does what we cannot follow. `why` becomes the user's one line. */
_Noreturn void mz_unsupported(const char *why);
/* Makes room in an array for at least `need` items, as mz_array_reserve(); ends the run if there is no memory. */
#define mz_array_require(array, capacity, need)                                                                        \
	(mz_array_reserve(array, capacity, need) ? (void)0 : mz_unsupported("out of memory"))

/* Everything `before` has done happens before what `after` will do. */
void mz_order(struct mz_fiber *before, struct mz_fiber *after);

/* Ends the running thread: it has used up its stack. */
MZ_COLD _Noreturn void mz_stack_overflow(struct mz_fiber *self);

/* The thread is about to begin an operation, and handles the signals that are pending: see request.h. */
MZ_COLD void mz_request_before(struct mz_fiber *self);

/* Whether time moves on, further each time, when the thread goes round a loop in which it looks at a clock (time.h).
 * After so many rounds it does not: then the thread waits for something else. */
#define MZ_CLOCK_ROUNDS 14
static inline bool mz_time_may_advance(const struct mz_fiber *self)
{
	return self->clock_rounds < MZ_CLOCK_ROUNDS;
}

/* The thread called us from there, with that stack pointer. */
static inline void mz_called(struct mz_fiber *self, uintptr_t place, uintptr_t sp)
{
	self->noted.place = place;
	self->noted.sp = sp;
}

static inline uintptr_t mz_caller_noted(struct mz_fiber *self, uintptr_t place, const uintptr_t *stack)
{
	uintptr_t caller = mz_caller_of(place, stack);
	mz_called(self, caller, (uintptr_t)(caller == place ? stack : stack + 2)); /* an entry has pushed two words */
	return caller;
}

/* Whether the stack pointer is within the thread's own stack. Programs have others: for coroutines, for handlers. */
static inline bool mz_fiber_is_home(const struct mz_fiber *fiber, const void *sp)
{
	return (((uintptr_t)sp ^ (uintptr_t)fiber->stack_low) & -MZ_LAYOUT_STACK_SLOT) == 0;
}
/* Below what the suspended thread has on its own stack. */
static inline uint8_t *mz_fiber_live(const struct mz_fiber *fiber)
{
	bool known = MZ_LIKELY(!mz_rt.seen.leaves_stacks) && mz_fiber_is_home(fiber, fiber->sp);
	return known ? (uint8_t *)fiber->sp : fiber->stack_lowest;
}
/* The running thread leaves its own stack for another one, and may come back. */
static inline void mz_fiber_leaves(struct mz_fiber *self, uint8_t *sp)
{
	if (!mz_fiber_is_home(self, sp) || sp >= self->stack_lowest) return;
	self->stack_lowest = sp > self->stack_low ? sp : self->stack_low;
}

/* Room for the accesses of an operation, where others may know already that it will come. Too little stack may be left
 * to decide who goes next. */
static inline struct mz_access *mz_accesses_now(struct mz_fiber *self)
{
	uint8_t *here = __builtin_frame_address(0);
	if (MZ_UNLIKELY((size_t)(here - self->stack_low) < MZ_LAYOUT_STACK_OURS)) mz_stack_overflow(self);
	return self->accesses = self->own_accesses;
}
/* For one that begins here: nothing has been done for it yet. */
static inline struct mz_access *mz_accesses(struct mz_fiber *self)
{
	if (MZ_UNLIKELY(mz_rt.mode.signals)) mz_request_before(self);
	return mz_accesses_now(self);
}
/* Room for `n` of them, as mz_accesses_now(). */
struct mz_access *mz_accesses_room(struct mz_fiber *self, size_t n);

/* ---- threads (fiber.c) ---- */

/* Makes room for threads: the first thing to be done. */
void mz_fiber_init(void);
/* Numbers are given out by `number` from now on: where several processes agree on them. MZ_NO_THREAD: there are no
 * more. */
void mz_fiber_numbers(uint32_t (*number)(void *self, struct mz_session_thread who), void *self);
/* The number for the n-th child of `parent`, given out on first use. */
struct mz_fiber *mz_fiber_child(struct mz_fiber *parent);
/* The thread that a handle (pthread_t) is of, or NULL. */
struct mz_fiber *mz_thread_from(unsigned long handle);
/* The running thread is on a stack that is not its own, and nobody has seen it go there (ways.c). */
MZ_COLD void mz_fiber_notice_stack(void);
/* Gives out numbers as they are given here; those that have no parent are left out. */
void mz_fiber_adopt(const struct mz_session_thread *threads, uint32_t n);
/* Threads whose start was not waited for would never start in a process that is forked now. */
void mz_fiber_before_fork(void);
/* A fresh stack and thread-local storage; the thread will call entry(argument). */
void mz_fiber_start(struct mz_fiber *fiber, void *entry, void *argument, size_t stack_size);
void mz_fiber_reset_all(void);
/* See state.h. */
void mz_fiber_store_all(struct mz_state *state);
void mz_fiber_load_all(struct mz_state *state);
void mz_switch(struct mz_fiber *from, struct mz_fiber *to); /* NULL: the explorer's own context */

/* ---- findings (finding.c) ---- */

/* "main/2/1": the path of a thread. Returns `buffer`. */
#define MZ_THREAD_NAME 128
const char *mz_thread_name(const struct mz_fiber *fiber, char buffer[MZ_THREAD_NAME]);

struct mz_place_raw {
	struct mz_fiber *thread;
	uintptr_t address; /* of code */
	const char *what;  /* "write of 4 bytes"; may be NULL */
};

struct mz_report {
	enum mz_finding_kind kind;
	uint64_t key; /* besides the kind and the place; equal for what is the same bug */
	struct mz_place_raw place;
	struct mz_place_raw other;
	const char *file; /* when the program named the place itself */
	uint32_t line;
	uintptr_t address; /* the object */
	size_t length;
};

void mz_report(const struct mz_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line that belongs to the last finding; only kept while recording. `address` is an object to be named, or 0. */
void mz_report_detail(struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length, const char *format,
                      ...) __attribute__((format(printf, 5, 6)));

/* The running thread has failed, which was reported: it ends here, the others go on. */
_Noreturn void mz_thread_failed(struct mz_fiber *self);

#endif
