/* SPDX-License-Identifier: MIT
 *
 * A program whose states can be kept, gone back to and compared: a stateful search works on one. The native runtime is
 * such a program, scripts in the tests are others.
 *
 * The program is always *in* one state. Threads go one at a time, alone: nothing else happens meanwhile. A step is what
 * it is everywhere: a visible operation and all that the thread does up to its next one.
 */
#ifndef MZ_TRACE_STATEFUL_H
#define MZ_TRACE_STATEFUL_H

#include "base/hash.h"
#include "trace/view.h"

/* No state: handles of kept states are numbers less than this. */
#define MZ_NO_HANDLE UINT32_MAX

/* Why a thread made no further step. */
enum mz_halt {
	MZ_HALT_ENOUGH, /* it has made as many steps as were asked for, or the watcher stopped it: it could go on */
	/* its next operation, which was not executed, has several alternatives, and the caller has to choose one */
	MZ_HALT_CHOICE,
	MZ_HALT_BLOCKED, /* it waits for what another thread has to do, see `waits` */
	MZ_HALT_OVER,    /* it has ended, or was not created yet */
	/* its last step changed another thread (created it, woke it, ended what it was waiting for), or what holds()
	 * reads */
	MZ_HALT_MET,
	/* its last step, which the watcher was told of like of any other, is a bug, or ended the process; the state
	 * cannot be used, unless `goes_on` */
	MZ_HALT_FOUND,
};

/* One step that a thread made. */
struct mz_stride {
	struct mz_event event; /* the visible operation, as it turned out */
	/* the accesses between it and the next operation that are not visible themselves, each word and kind once */
	const struct mz_access *plain;
	size_t nplain; /* how many accesses are in `plain` */
	bool races;    /* the visible operation is a plain access: meeting another one is a data race */
	bool changes;  /* the step wrote to something else than the thread's own stack */
	bool ends;     /* the process is about to end, whatever other threads do, or the execution was dropped */
	/* hash of the thread's own state after the step: equal states have equal hashes, different states most likely
	 * different ones; 0 if it was not asked for */
	uint64_t local;
};

struct mz_watcher {
	void *self;
	/* Called after each step of the thread. Returns whether the thread is to go on. */
	bool (*step)(void *self, const struct mz_stride *stride);
	uint32_t unasked; /* the first so many steps of run_thread() need no `local` */
};

/* At most so many accesses make up the step of a blocked thread: a step that reads what the thread waits for and leads
 * nowhere. */
#define MZ_WAITS_MAX 64

struct mz_stateful {
	void *self;
	bool keys_are_cheap; /* key() costs no more than a step */

	/* Goes from the very start to the first state. Returns false if there is none: the program ended or failed
	 * before. */
	bool (*begin)(void *self);
	/* Returns all threads in the present state. Valid until that changes. */
	const struct mz_view *(*view)(void *self);
	/* Returns whether a thread can make a step in the present state, and if not, why: ENOUGH (it can), CHOICE (it
	 * can, but the caller has to choose an alternative), BLOCKED or OVER. For a blocked thread, fills in what it
	 * reads while it waits. */
	enum mz_halt (*thread_halt)(void *self, uint32_t thread, struct mz_access waits[MZ_WAITS_MAX],
	                            uint16_t *nwaits);

	/* Lets a thread that can go make up to `most` steps. The first step takes alternative `choice`; a later
	 * operation that has several alternatives is not executed. */
	enum mz_halt (*run_thread)(void *self, uint32_t thread, uint32_t choice, uint32_t most,
	                           const struct mz_watcher *watcher);

	/* Reports whether the program has dropped the execution that led to the present state (mz_assume): what comes
	 * after it does not count. If the function is missing, it never does. */
	bool (*is_dropped)(void *self);
	/* Reports whether a thread has asked for the end of the process before the present state (exit). The process
	 * ends when no other thread can go on: threads that wait then are no deadlock. If the function is missing, none
	 * ever does. */
	bool (*is_ending)(void *self);
	/* Reports whether something of the program may go on by itself when no thread can: a timer that is set. It does so
	 * in the step that left no thread able to go on. If the function is missing, nothing ever does. */
	bool (*is_timed)(void *self);

	/* Evaluates what has to hold in every state (mz_invariant), without changing the state, and returns whether it
	 * holds. `reads` is what the evaluation read, valid until the next call. If the function is missing, or
	 * `*nreads` is 0, there is nothing that has to hold. */
	bool (*holds)(void *self, const struct mz_access **reads, size_t *nreads);

	/* Keep the present state, go to a kept state, and drop a kept state. A handle is valid until it is dropped.
	 * keep_state() returns MZ_NO_HANDLE if there is no memory. */
	uint32_t (*keep_state)(void *self);
	void (*load_state)(void *self, uint32_t handle);
	void (*drop_state)(void *self, uint32_t handle);

	/* key() returns a hash of the present state in 128 bits: equal for equal states, in every process. bytes()
	 * returns the bytes that make up the present state: equal exactly for equal states. They are valid until the
	 * next call. */
	struct mz_key (*key)(void *self);
	const void *(*bytes)(void *self, size_t *size);

	/* Runs an execution from the very start that follows these steps to their end (as far as it goes) and records
	 * what it finds, data races included. With `on` the execution then goes on as long as any thread can; threads
	 * that only go round in a loop cannot. Returns whether something was found. The present state is lost. */
	bool (*witness)(void *self, const struct mz_step *schedule, uint32_t steps, bool on);

	bool goes_on; /* after a bug the thread that failed stops, and the state is one like any other */
};

#endif
