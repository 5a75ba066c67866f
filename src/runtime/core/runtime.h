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
#include "base/hash.h"
#include "base/random.h"
#include "runtime/core/caller.h"
#include "runtime/core/layout.h"
#include "session/executor.h"
#include "session/session.h"
#include "trace/finding.h"
#include <stddef.h>

#define MZ_LIKELY(x) __builtin_expect(!!(x), 1)
#define MZ_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Keeps a function out of its callers. Functions that run for nearly every access of the program must be short and need
 * little stack, because checkpoints copy stacks. */
#define MZ_NOINLINE __attribute__((noinline))
/* The same for a function that is hardly ever called. */
#define MZ_COLD __attribute__((cold, noinline))
#define MZ_EXPORT __attribute__((visibility("default")))
#define MZ_CALLER() mz_caller_of((uintptr_t)__builtin_return_address(0), __builtin_dwarf_cfa())
/* As MZ_CALLER(), in functions in which a thread may have to wait: also notes the caller's stack pointer, for
 * allowed.h. */
#define MZ_NOTED_CALLER(self) mz_caller_noted(self, (uintptr_t)__builtin_return_address(0), __builtin_dwarf_cfa())

#define MZ_CACHE_LINE 64

/* A vector clock of the program's own happens-before relation, by which data races are judged. Entries beyond `length`
 * are 0. */
struct mz_clock {
	uint32_t *counts;
	uint32_t length;
	uint32_t capacity;
};

enum mz_fiber_state {
	MZ_FIBER_UNUSED,
	MZ_FIBER_RUNNING, /* between two visible operations, or ready to be brought to the next */
	MZ_FIBER_PENDING, /* at a visible operation, enabled or not: see the view */
	MZ_FIBER_WAITING, /* it waits for a signal on a condition */
	MZ_FIBER_JOINING, /* it waits for another thread's end */
	MZ_FIBER_EXITING, /* it has asked for the end of the process */
	MZ_FIBER_FINISHED,
	MZ_FIBER_STOPPED, /* a finding ended it */
	MZ_FIBER_DORMANT, /* a timer that expires only when no thread can go on: see timer.h */
};

/* Random numbers: see chance.h. */
enum mz_chance_stream { MZ_CHANCE_RAND, MZ_CHANCE_48, MZ_CHANCE_SYSTEM, MZ_CHANCE_STREAMS };

struct mz_object;
struct mz_state;
struct mz_way;
struct mz_spin_log;

/* What the runtime keeps of a thread to recognise that it spins: see spin.h. */
struct mz_spin {
	uint32_t narrivals;          /* number of arrivals in its log */
	uint32_t nreads;             /* number of reads in its log */
	uint32_t nevents;            /* number of events since it last did something else than reading */
	uint32_t narrivals_at_clock; /* value of narrivals when it last read a clock */
	uint32_t narrivals_at_read;  /* value of narrivals when it last read what is not its own stack */
	/* number of places at which it has read clocks since it last changed anything but its own stack and locks; places
	 * count again each time that it has changed a lock */
	uint32_t nclocks;
	uint16_t extra;      /* number of accesses of its pending operation that are only waited for */
	struct mz_key clock; /* what stands for the place where it last read a clock */
	bool arrives; /* its pending operation is an arrival: the thread may be recognised when it comes back there */
	struct mz_key state;
	uint8_t *base; /* high end of the part of its stack that holds frames of the program */
};

/* The call that a thread is in: of its pending operation, or the one it waits in. Used where states are told apart. */
struct mz_call {
	struct mz_caller from; /* if the call was not noted, only `place` is set */
	uint64_t phase;        /* number of operations that the call has performed so far */
};

/* Plain accesses that belong to a thread's next step: see touched.h. */
struct mz_carried {
	struct mz_access *accesses;
	size_t capacity;
	uint32_t count;
};

/* What a thread waits for. Members that do not apply are NULL or 0. */
struct mz_waits {
	struct mz_fiber *thread;  /* the thread whose end it waits for */
	struct mz_object *object; /* the mutex, condition or other object that it is blocked on */
	struct mz_object *mutex;  /* the mutex of the condition wait that it is in, or NULL */
	uint32_t bits; /* the bit set of the futex wait that it is in: a wake-up with any of these bits wakes it */
};

/* How often a thread has done something in this execution. The counts are part of the names of what the thread makes
 * next, or have a limit. */
struct mz_counts {
	uint32_t children;
	uint32_t channels; /* channels that the thread made */
	uint32_t openings; /* files that the thread opened */
	uint32_t mapped;   /* pages of its mapping region that are mapped or were skipped: see mapping.h */
	uint32_t
	    readings;    /* times that the thread read a clock, where rounds of loops are not recognised: see time.c */
	uint32_t faults; /* calls of the thread that were made to fail (--fail) */
	/* times that the thread yielded after another thread had asked for the end of the process */
	uint32_t late_yields;
};

/* What a signal was sent with: see pending.h. */
struct mz_signal_info {
	int32_t number;
	int32_t code; /* si_code: SI_USER, SI_TKILL, SI_QUEUE, SI_TIMER, ... */
	uint64_t value;
	int32_t timer, overrun; /* of SI_TIMER */
};

/* The requests that other threads make of a thread (request.h, point.h), as the thread itself sees them. */
struct mz_request_state {
	uint64_t blocked; /* the signals that the thread blocks, as bits */
	uint64_t awaited; /* the requests, as bits, that enable its pending operation; 0 if requests do not */
	struct mz_signal_info taken; /* the signal that it has taken and not handled yet; number 0 if there is none */
	uint64_t found_too;          /* the signals that were pending as well when it took that one */
	/* the last call that was made to fail with EINTR, unless the thread has repeated the call since */
	uintptr_t interrupted_at;
	/* value of the count of requests (mz_request_count_of) when the thread last checked, and how often they had been
	 * changed by others */
	uint32_t count_seen, changes_seen;
	/* the same for the count of requests to the process, and for how often these were changed at all */
	uint32_t process_count_seen, process_changes_seen;
	uint16_t op_awaited; /* enum mz_op: what the thread does once it can go on, if not its pending operation */
	uint8_t cancel_state, cancel_type;
	bool passes; /* where it awaits requests: it can go on without one */
};

struct mz_range {
	uintptr_t low, high;
};

/* The stack below an address was given back when the thread's own clock had this value. */
struct mz_ended_frame {
	uintptr_t below;
	uint64_t clock;
};
#define MZ_ENDED_FRAMES 8
#define MZ_BORROWERS UINT32_MAX

/* The stack that handlers may ask for (sigaltstack). */
struct mz_alternate {
	uint8_t *low;
	size_t size; /* 0: the thread has no alternate stack */
};

/* A fault that a thread handles. */
struct mz_trap {
	uintptr_t at; /* address of the instruction that faulted */
	uintptr_t address;
	int32_t signal; /* 0: the thread handles no fault */
};

/* The function that a thread runs, and what created the thread. */
struct mz_start {
	void *entry; /* the runtime's function that the fiber starts in, and its argument */
	void *argument;
	void *function; /* the program's own function that `entry` calls, and its argument */
	void *parameter;
	uintptr_t created_at;
	uintptr_t stack_high; /* high end of the stack that the program gave the thread; 0: it has its own */
	size_t stack_size;    /* of that, or of what the program may use of its own; 0: of the first thread */
	size_t guard_size;
	bool c11;       /* the function is an int (*)(void *), as of thrd_create */
	bool schedules; /* it was created with a policy and priority of its own */
};

/* Room for an operation with more accesses than a thread has in own_accesses. The array never moves, see
 * mz_accesses_room(). */
struct mz_room {
	struct mz_access *accesses;
	size_t capacity;
};

/* The thread numbers of a thread's children, by the order in which it creates them. */
struct mz_numbers {
	uint32_t *children;
	size_t capacity;
};

/* The region of the heap that a thread allocates from. */
struct mz_region {
	uint8_t *base;
	uint8_t *limit;
	uint8_t *next;   /* where the next block goes */
	uint32_t *large; /* the large blocks of the region, see heap_large.c */
	uint32_t nlarge;
	size_t large_capacity;
};

/* The vector clocks of a thread, in the program's own happens-before relation: what it knows of the others' past. */
struct mz_clocks {
	struct mz_clock own;
	struct mz_clock released; /* the value of `own` at the thread's last release fence */
	struct mz_clock acquired; /* what the thread will know after its next acquire fence */
};

/* The last noted call of a thread: the return address, and the program's stack pointer there. */
struct mz_noted {
	uintptr_t place, sp;
};

/* A thread of the program. Its number, and so its stack, heap region and handle, depend only on who created it as
 * which child, never on the interleaving. */
struct mz_fiber {
	/* of the execution. Of a thread that is over, checkpoints copy only these members: other threads may still
	 * change them */
	_Alignas(MZ_CACHE_LINE) struct mz_fiber *joiner;
	uint8_t state; /* enum mz_fiber_state */
	bool detached;
	bool joined;
	bool is_barrier_serial;  /* the last barrier returned PTHREAD_BARRIER_SERIAL_THREAD to it */
	bool leaving;            /* it has begun to end: from now on it cannot be cancelled */
	bool affects_invariants; /* its pending operation writes to memory that invariants read */
	bool timed_out;          /* the wait that it is in, or was last in, has timed out */
	uint8_t clock_rounds;    /* rounds of a loop that reads clocks, since it last wrote something: at most
	                            MZ_CLOCK_ROUNDS */
	char name[16];           /* the name that the program gave it */

	/* lasting */
	uint32_t index;
	void *thread_pointer; /* thread-local storage, lent by a parked kernel thread */
	uint8_t *stack_low;
	uint8_t *stack_high;

	/* of the execution: checkpoints copy these members as they are, in whole cache lines */
	_Alignas(MZ_CACHE_LINE) void *sp; /* its stack pointer while it does not run */
	struct mz_fiber *next;            /* the next thread in the queue that it is in */
	void *result;
	uint64_t time;      /* see time.h */
	uint64_t signature; /* a hash of its pending operation */
	uintptr_t caller;   /* return address of the call that is its pending operation */
	struct mz_noted noted;
	struct mz_access *accesses; /* the accesses of its pending operation */
	uint32_t naccesses_since;   /* number of plain accesses since its last visible operation */
	/* how often it asked for its plain accesses to be ignored, without taking that back; 0: they are looked at */
	uint16_t ignores_accesses;
	bool function_returned;        /* the thread function has returned: its stack holds nothing of use */
	bool has_checked_requests : 1; /* no check for requests is due before its next operation */
	bool in_handler : 1; /* it runs a signal handler of the program: the runtime has frames on its stack */
	bool
	    lends_heap : 1; /* what the C library allocates is the program's: it is for something that the program keeps */
	struct mz_access own_accesses[2];
	struct mz_spin spin;
	struct mz_waits waits;
	struct mz_counts counts;
	void *cleanup; /* its latest cleanup handler: see leaving.h */
	struct mz_random chance[MZ_CHANCE_STREAMS];
	struct mz_request_state requests;
	uintptr_t ended_at; /* code address at which it ended, or began to */
	/* the part of its stack that other threads have accessed in frames that have not returned since; high is 0
	 * if there is none */
	struct mz_range lent;
	uint32_t borrower; /* 1 + the number of the thread that has accessed that part; MZ_BORROWERS: several have */
	/* frames that have ended and that others may know of, the highest first: see stacks.c */
	struct mz_ended_frame ended[MZ_ENDED_FRAMES];
	uint32_t nended;
	uintptr_t
	    frames_from; /* ends of frames whose functions have a stack pointer below this one are not looked at */
	struct mz_alternate alternate;
	struct mz_trap trap;

	/* of the execution, since it was created */
	_Alignas(MZ_CACHE_LINE) struct mz_start start;

	/* lasting */
	struct mz_room room;
	struct mz_spin_log *spin_log; /* made when the thread first needs one */
	struct mz_numbers numbers;
	uint8_t *stack_stored; /* low end of the part of its stack that mirrored states store */

	/* of the execution again, in memory that is kept from one execution to the next */
	struct mz_clocks clocks;
	uint8_t *stack_lowest; /* the lowest address that its stack pointer is known to have had */
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

/* How executions run: set from the session, or by the code that runs them. */
struct mz_mode {
	/* threads pause at every choice, and a search of states lets them go one by one: see stateful.h */
	bool searches_states;
	bool follows_schedule; /* the whole schedule is given: it is followed without asking the driver */
	bool replaying;        /* the execution is replayed to be recorded in a trace */
	bool tells_atomics;    /* atomic operations are recorded, or told to mz_follow() */
	bool stop_at_finding;
	bool points_all;      /* plain accesses are visible operations */
	bool volatile_atomic; /* volatile accesses are atomic, of relaxed order */
	bool finds_races;     /* data races are looked for */
	bool notes_races;     /* but not reported: it is only noted that there are any (MZ_REQUESTS_RACES) */
	bool spinning_waits;  /* a thread that spins waits until another thread writes what it reads */
	bool reuses_freed;    /* freed memory is handed out again within an execution (--heap reuse) */
	bool checks_signals;  /* threads check for signals: some execution has sent one from thread to thread */
	bool exits_are_steps; /* ends of the process are operations: some execution has two that can be told apart */
	bool
	    handlers_are_shared; /* uses of the list of exit handlers are operations: some execution has two that nothing orders */
	/* sending a signal looks whether it is ignored: in some execution one was, or became so beside other threads */
	bool discards_ignored;
	uint64_t process_signals; /* the signals, as bits, that some execution has sent to the process */
	bool checks_cancellation; /* threads check for cancellation: some execution has cancelled a thread */
	uint64_t faults; /* the calls that may be made to fail: a bit for each of enum mz_fault (trace/fault.h) */
};

/* What all executions so far have shown of the program. */
struct mz_seen {
	bool leaves_stacks; /* threads may run on other stacks than their own (swapcontext, sigaltstack) */
	/* threads switched stacks by code of their own: how much of the stacks they left is in use is not known */
	bool unseen_stacks;
	/* a thread moved the position of a descriptor that was open before main, which no checkpoint contains */
	bool moves_files;
};

/* The atomic section that a thread is in (schedule/section.c). No other thread runs while there is one: at every choice
 * there is none. */
struct mz_section {
	struct mz_fiber *thread; /* the thread that is in the section; NULL: there is none */
	uintptr_t place;         /* return address of the call that began it */
	uint32_t depth;          /* how many sections have begun, one within another, and not ended */
	uint32_t step;           /* the number of the step that the section is */
	uint32_t operations;     /* number of operations so far */
};

/* The execution under way. */
struct mz_current_execution {
	const struct mz_driver *driver;
	struct mz_step *schedule;
	uint64_t signature; /* a hash of what all threads would do next: the sum of the signatures of pending threads */
	/* the value of `signature` at each choice, by which it is seen that a known schedule led elsewhere */
	uint64_t *signatures;
	uint32_t nsteps;
	uint32_t known;    /* number of steps, from the first, that were made before: the driver has observed them */
	uint32_t promised; /* number of steps that the inputs take as given: they were found for that */
	bool misses;       /* they do not take these steps: the execution ends before the last of them */
	uint32_t given;    /* number of steps that are given and not asked for: these, or one more */
	uint32_t store_at; /* the depth at which a checkpoint is wanted */
	uint32_t max_steps;
	struct mz_view view;
	struct mz_pending *pending; /* the pending operations, by thread number: view.pending points here */
	uint32_t nenabled;
	uint32_t nsignalling; /* number of threads whose pending operation is to signal a condition */
	uint32_t choice;      /* the alternative that was chosen for the step under way */
	uint32_t condition;   /* that the step under way branches on, if inputs decide it; else 0 */
	uint32_t nfindings;
	enum mz_end end;
	bool in_step;             /* a step was chosen and is not committed yet */
	bool preempted;           /* the last choice was a preemption */
	bool storing;             /* the explorer's context is to store a checkpoint before the next choice */
	bool asking;              /* the explorer's context is to make the next choice */
	bool must_restart_search; /* operations touch more objects than was known */
	bool any_destroyed;       /* some object was destroyed */
	bool assumed;             /* mz_assume() has stopped a thread */
	bool limited;             /* a limit has stopped one (schedule/limit.c) */
	uint32_t nthreads;        /* number of threads that were created */
	bool time_moved;          /* the time of some thread is not 0: see time.h */
	/* queue of threads that were created or woken and must run to their next visible operation */
	struct mz_fiber *ready;
	struct mz_fiber **ready_tail;
	struct mz_section section;
};

/* The end of the program, if a thread has asked for it. */
struct mz_exit {
	struct mz_fiber *thread;   /* the first thread that came to the end of the process; NULL: none has */
	struct mz_fiber *beginner; /* the first thread that began to call handlers; NULL: none has */
	uint64_t words;            /* a hash of what `thread` wrote to standard error before: see said.h */
	int status;                /* of `thread` */
	bool beginner_shows;       /* that the beginner was first can be seen: it has handlers, or a status */
	bool finalises;            /* the functions of finalisers.h run, or have */
	/* the last thread that registered a handler, or took one to call it (NULL: none has), and how many threads it had
	 * created by then */
	struct mz_fiber *registrar;
	uint32_t registrar_children;
};

struct mz_invariants {
	uint32_t count;
	bool evaluating; /* an invariant is being evaluated */
	bool evaluated;  /* an invariant was added in the step under way */
};

/* The program, or the function of it, that is explored. */
struct mz_program {
	int argc;
	char **argv;
	int (*body)(void *argument); /* returns an exit status */
	void *argument;
	uintptr_t function; /* address of the program's own function that `body` calls, for traces */
	bool exit_handlers; /* exit handlers are called when `body` returns */
};

struct mz_runtime {
	struct mz_session *session;
	struct mz_fiber *fibers; /* array of MZ_SESSION_THREADS, at a fixed address */
	uint32_t nfibers;        /* number of thread numbers given out so far, over all executions */
	uint32_t generation;     /* number of the execution; never 0 */
	/* number of the first execution of the search, which has no earlier one to agree with */
	uint32_t first_generation;
	struct mz_mode mode;
	const struct mz_way *way; /* by mode.searches_states: see way.h */
	struct mz_seen seen;
	struct mz_invariants invariants;
	struct mz_current_execution execution;
	struct mz_exit exit;
	struct mz_root root;
	struct mz_program program;
};

extern struct mz_runtime mz_rt;

/* The fiber that runs, or NULL outside of executions: then every hook does what the real function does. */
extern struct mz_fiber *mz_current;

/* ---- running (scheduler.c) ---- */

/* Prepares everything that lasts, for the session: called once, before the first execution, after mz_fiber_init(). */
void mz_runtime_init(void);

/* Begins an execution: everything is as it was before main, and the fiber returned is about to call it. */
struct mz_fiber *mz_runtime_start(void);

/* Sets, by mz_rt.mode, what entries note of calls (caller.h). Called before an execution, after the mode was set. */
void mz_runtime_note(void);

/* Runs one execution: the executor of session/executor.h. */
enum mz_end mz_runtime_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                           struct mz_view *view);
/* See struct mz_executor. */
void mz_runtime_begin(void *unused);
void mz_runtime_restart(void *unused);

/* A visible operation. Code that performs one makes such a value, begins it and commits the same value. It is passed
 * as it is, not by address: it fits one register, and where it is known to the compiler it costs nothing. The accesses
 * themselves are in self->accesses, where others find them while the operation is pending; from where it was called and
 * whether it is enabled matters only where it begins. */
struct mz_operation {
	uint16_t op;           /* enum mz_op */
	uint16_t naccesses;    /* how many of self->accesses are its own */
	uint32_t alternatives; /* ways to perform it, of which one is chosen: mz_rt.execution.choice */
};

/* Returns an operation with `naccesses` accesses, and one way to perform it. */
static inline struct mz_operation mz_operation(enum mz_op op, uint16_t naccesses)
{
	return (struct mz_operation){(uint16_t)op, naccesses, 1};
}
/* Returns the operation that chooses one of so many alternatives, and does nothing else. */
static inline struct mz_operation mz_choice(uint32_t alternatives)
{
	return (struct mz_operation){MZ_OP_CHOOSE, 0, alternatives};
}
/* Returns the operation that is pending. It may have more accesses than the thread began it with: those that it waits
 * for, and those of invariants. */
static inline struct mz_operation mz_operation_of(const struct mz_pending *pending)
{
	return (struct mz_operation){pending->op, pending->naccesses, pending->alternatives};
}

/* Begins an operation: here the running thread may be overtaken. Its accesses are in self->accesses. Returns when the
 * thread has been chosen: the caller then performs the operation, completes the accesses (`before`, `kind`) and calls
 * mz_commit() before anything else. The second form may find the thread not enabled. */
void mz_visible(struct mz_fiber *self, struct mz_operation operation, uintptr_t caller);
void mz_visible_if(struct mz_fiber *self, struct mz_operation operation, bool enabled, uintptr_t caller);
void mz_commit(struct mz_fiber *self, struct mz_operation operation);

/* Begins and ends an atomic section: mz_atomic_begin() and mz_atomic_end() of <mazurka.h>. */
void mz_section_begin(struct mz_fiber *self, uintptr_t caller);
void mz_section_end(struct mz_fiber *self, uintptr_t caller);
/* Forgets a section that the execution has ended in. */
void mz_section_reset(void);
/* Begins an operation within the section: the thread goes on at once. Ends the thread if it would have to wait. */
void mz_section_visible(struct mz_fiber *self, struct mz_operation operation, bool enabled, uintptr_t caller);
/* Commits such an operation: adds what it touches to what the section touches. */
void mz_section_commit(struct mz_fiber *self, struct mz_operation operation);
/* SELF, which is in a section, ends in this state. */
void mz_section_leave(struct mz_fiber *self, enum mz_fiber_state state);
/* Returns true if the edge was kept until the section has ended: mz_order() within a section. */
bool mz_section_order(const struct mz_fiber *before, const struct mz_fiber *after);
/* Ends the running thread, which goes on without end inside a section. */
_Noreturn void mz_section_endless(struct mz_fiber *self, uintptr_t caller);
/* Ends the running thread, which would wait inside a section, or may have to. */
_Noreturn void mz_section_waits(struct mz_fiber *self, uintptr_t caller);
/* Ends the run: an operation with several outcomes to be explored was met inside a section. */
_Noreturn void mz_section_refuse_choice(void);
/* Makes the section the event that it turned out to be (scheduler.c). */
void mz_commit_section(struct mz_fiber *self, uint16_t naccesses);

/* The operation could not be performed: commits it as what it might have been, if it was not committed yet. */
void mz_commit_failed(struct mz_fiber *self);

/* Enables or disables the pending operation of a thread. */
void mz_set_enabled(struct mz_fiber *fiber, bool enabled);
/* Suspends SELF in `state`, outside of the view: it waits for something that is no operation. Returns when
 * mz_make_ready(), or mz_set_pending() and a choice, bring the thread back. */
void mz_suspend(struct mz_fiber *self, enum mz_fiber_state state);
/* Brings a suspended thread to its next visible operation before the next choice. */
void mz_make_ready(struct mz_fiber *fiber);
/* Gives a suspended thread a pending operation on behalf of that thread; the accesses are in fiber->accesses
 * already. */
void mz_set_pending(struct mz_fiber *fiber, struct mz_operation operation, bool enabled);

/* Ends the running thread. */
_Noreturn void mz_finish(struct mz_fiber *self, enum mz_fiber_state state);
/* Ends the running thread after unwinding its stack: cleanup handlers of C and destructors of C++ run first
 * (leaving.c). */
_Noreturn void mz_leaving_unwind(struct mz_fiber *self, void *result);
/* Ends the execution at once. */
_Noreturn void mz_end_execution(enum mz_end end);
/* Notes that the execution has reached a limit (session.h): it counts as one that was cut, and not as a deadlock. */
void mz_note_limit(enum mz_path_limit limit);
/* Gives the execution up at the limit: ends the running thread. The other threads come to their end. */
_Noreturn void mz_give_up(enum mz_path_limit limit);
/* Ends the execution and has the search start over: something was learned that changes which operations threads
 * have. */
_Noreturn void mz_restart_search(void);
/* Ends the run because the program does something that cannot be explored. `why` becomes the line that the user
 * reads. */
_Noreturn void mz_unsupported(const char *why);
/* Makes room in an array for at least `need` items, as mz_array_reserve(); ends the run if there is no memory. */
#define mz_array_require(array, capacity, need)                                                                        \
	(mz_array_reserve(array, capacity, need) ? (void)0 : mz_unsupported("out of memory"))

/* Orders threads for the engine: everything that `before` has done happens before what `after` will do. */
void mz_order(struct mz_fiber *before, struct mz_fiber *after);
/* A timer that counts in a channel has expired so often: part of a section of SELF. And whether that would be news to
 * who waits for the channel. (timer_channel.c) */
void mz_timer_expired(struct mz_fiber *self, uint64_t channel, uint64_t times, uintptr_t caller);
bool mz_timer_is_news(uint64_t channel);

/* Ends the running thread and reports that it has used up its stack. */
MZ_COLD _Noreturn void mz_stack_overflow(struct mz_fiber *self);

/* Handles the signals that are pending for SELF, which is about to begin an operation: see request.h. */
MZ_COLD void mz_request_before(struct mz_fiber *self);

/* Reports whether time advances when SELF goes round once more in a loop that reads a clock (time.h): by more each
 * time, for MZ_CLOCK_ROUNDS rounds. After these the thread is taken to wait for something else. */
#define MZ_CLOCK_ROUNDS 14
static inline bool mz_time_may_advance(const struct mz_fiber *self)
{
	return self->clock_rounds < MZ_CLOCK_ROUNDS;
}

/* Notes the return address and the stack pointer with which the program called the runtime. */
static inline void mz_called(struct mz_fiber *self, uintptr_t place, uintptr_t sp)
{
	self->noted.place = place;
	self->noted.sp = sp;
}

/* See MZ_NOTED_CALLER(). */
static inline uintptr_t mz_caller_noted(struct mz_fiber *self, uintptr_t place, const uintptr_t *stack)
{
	uintptr_t caller = mz_caller_of(place, stack);
	mz_called(self, caller, mz_caller_stack(caller, place, stack));
	return caller;
}

/* Reports whether SP lies within the thread's own stack. Programs may have other stacks: for coroutines, for
 * handlers. */
static inline bool mz_fiber_is_home(const struct mz_fiber *fiber, const void *sp)
{
	return (((uintptr_t)sp ^ (uintptr_t)fiber->stack_low) & -MZ_LAYOUT_STACK_SLOT) == 0;
}
/* Returns the low end of what a suspended thread has in use of its own stack. */
static inline uint8_t *mz_fiber_live(const struct mz_fiber *fiber)
{
	bool known = MZ_LIKELY(!mz_rt.seen.leaves_stacks) && mz_fiber_is_home(fiber, fiber->sp);
	return known ? (uint8_t *)fiber->sp : fiber->stack_lowest;
}
/* Notes that the running thread leaves its own stack, at `sp`, for another one, and may come back. */
static inline void mz_fiber_leaves(struct mz_fiber *self, uint8_t *sp)
{
	if (!mz_fiber_is_home(self, sp) || sp >= self->stack_lowest) return;
	self->stack_lowest = sp > self->stack_low ? sp : self->stack_low;
}

/* Returns room for two accesses of an operation that SELF has already announced to others. Ends the thread if too
 * little stack is left to make a choice on it. */
static inline struct mz_access *mz_accesses_now(struct mz_fiber *self)
{
	uint8_t *here = __builtin_frame_address(0);
	if (MZ_UNLIKELY((size_t)(here - self->stack_low) < MZ_LAYOUT_STACK_OURS)) mz_stack_overflow(self);
	return self->accesses = self->own_accesses;
}
/* The same for an operation that begins here, of which nothing has been done yet: handles pending signals first. */
static inline struct mz_access *mz_accesses(struct mz_fiber *self)
{
	if (MZ_UNLIKELY(mz_rt.mode.checks_signals)) mz_request_before(self);
	return mz_accesses_now(self);
}
/* As mz_accesses_now(), with room for `n` accesses. */
struct mz_access *mz_accesses_room(struct mz_fiber *self, size_t n);

/* ---- threads (fiber.c) ---- */

/* Reserves memory for threads. Called before all else, when the library is loaded. */
void mz_fiber_init(void);
/* Has `number` give out thread numbers from now on, where several processes must agree on them. It returns MZ_NO_THREAD
 * when there are no more. */
void mz_fiber_numbers(uint32_t (*number)(void *self, struct mz_session_thread who), void *self);
/* Returns the fiber for the next child of `parent`; it gets a number when it is first needed. */
struct mz_fiber *mz_fiber_child(struct mz_fiber *parent);
/* Returns the thread of a handle (pthread_t), or NULL if it names no thread of this execution. */
struct mz_fiber *mz_thread_from(unsigned long handle);
/* The running thread is on a stack that is not its own, and nobody has seen it go there (ways.c). */
MZ_COLD void mz_fiber_notice_stack(void);
/* Gives out the numbers of `threads`, as another process did; entries without a parent are skipped. */
void mz_fiber_adopt(const struct mz_session_thread *threads, uint32_t n);
/* Waits until all parked kernel threads have started: called before fork(), because in the child they never would. */
void mz_fiber_before_fork(void);
/* Gives a fiber a fresh stack and thread-local storage; it will call entry(argument) when first switched to, on the
 * stack that the program gave it if it did (`start`). */
void mz_fiber_start(struct mz_fiber *fiber, void *entry, void *argument, size_t stack_size);
void mz_fiber_reset_all(void);
/* See state.h. */
void mz_fiber_store_all(struct mz_state *state);
void mz_fiber_load_all(struct mz_state *state);
void mz_switch(struct mz_fiber *from, struct mz_fiber *to); /* NULL stands for the explorer's own context */

/* ---- findings (finding.c) ---- */

/* "main/2/1": the path of a thread. Returns `buffer`. */
#define MZ_THREAD_NAME 128
const char *mz_thread_name(const struct mz_fiber *fiber, char buffer[MZ_THREAD_NAME]);

struct mz_place_raw {
	struct mz_fiber *thread;
	uintptr_t address; /* code address */
	const char *what;  /* "write of 4 bytes"; may be NULL */
};

struct mz_report {
	enum mz_finding_kind kind;
	uint64_t key; /* tells bugs of one kind at one place apart; equal keys are the same bug */
	struct mz_place_raw place;
	struct mz_place_raw other;
	const char *file; /* source file if the program named the place itself, as assert does; or NULL */
	uint32_t line;
	uintptr_t address; /* the memory or object that the finding is about, or 0 */
	size_t length;
	bool parts; /* of a data race: the later access is one that a machine may make in parts */
	enum mz_unordered unordered;
	bool unseen; /* of nondeterminism: see struct mz_session_finding */
};

/* Reports a finding about the program, with a message for people. The thread goes on: see mz_thread_failed(). */
void mz_report(const struct mz_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a line to the last finding; kept only while recording. `address` is an object to be named in the line, or 0. */
void mz_report_detail(struct mz_fiber *thread, uintptr_t code, uintptr_t address, size_t length, const char *format,
                      ...) __attribute__((format(printf, 5, 6)));

/* Ends the running thread after a finding about it was reported; the other threads go on. */
_Noreturn void mz_thread_failed(struct mz_fiber *self);

#endif
