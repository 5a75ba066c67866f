/* SPDX-License-Identifier: MIT
 *
 * What the engine knows when it chooses: what each thread would do next.
 */
#ifndef MZ_TRACE_VIEW_H
#define MZ_TRACE_VIEW_H

#include "trace/event.h"
#include <stddef.h>

enum mz_thread_status {
	MZ_THREAD_ABSENT, /* not born, finished, or waiting without a pending operation: for a join, a signal */
	/* it cannot go on, and the host did not say why. At the end of an execution its accesses are all that its
	 * operation may touch */
	MZ_THREAD_WAITING,
	MZ_THREAD_BLOCKED, /* its pending operation is not enabled */
	MZ_THREAD_ENABLED, /* its pending operation can be executed */
};

/* What a thread would do next. */
struct mz_pending {
	uint8_t status; /* enum mz_thread_status */
	/* 1 + the alternative that the operation takes with the inputs of this execution: others take other inputs, and
	 * not all are possible. 0: all alternatives are possible */
	uint8_t decided;
	uint16_t op; /* enum mz_op */
	uint16_t naccesses;
	/* of an operation that is decided: all other threads wait. What they read depends on what the thread does before it
	 * goes on */
	bool first;
	bool partial; /* the operation may touch more than its accesses say: a host told only what it waits for */
	uint32_t alternatives; /* how many alternatives the operation has if executed now; at least 1 */
	union {
		uint32_t since;     /* of a thread that is WAITING: how many events there were when it began to wait */
		uint32_t condition; /* of an operation that is decided: the number of its condition, not 0 */
	};
	const struct mz_access *accesses;
};

/* A branch that inputs decide, by its condition, and the alternative that it takes. */
struct mz_decision {
	uint32_t condition;
	uint32_t choice;
};

/* All threads at a choice. Thread numbers are dense, and mean the same thread in every execution of a session. */
struct mz_view {
	uint32_t nthreads;
	uint32_t current; /* the thread that took the last step, or MZ_NO_THREAD */
	const struct mz_pending *pending;
	/* Returns whether some inputs lead here and take that alternative of a thread whose operation is decided. */
	bool (*is_possible)(uint32_t thread, uint32_t choice);
	/* Returns whether some inputs take all of these alternatives. Also at the end of an execution. */
	bool (*are_possible)(const struct mz_decision *decisions, size_t count);
	/* Returns a number for the place in the program that has a condition, which this process has met; 0 if it has not. May be
	 * NULL. */
	uint64_t (*place_of)(uint32_t condition);
};

#endif
