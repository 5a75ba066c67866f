/* SPDX-License-Identifier: MIT
 *
 * The two ways of running the program: executions are explored one after another, each from the beginning or from a
 * checkpoint; or states are searched, where threads pause at every choice. What rooms do differently in the two is a
 * table of functions for each, in schedule/ways.c.
 */
#ifndef MZ_RUNTIME_CORE_WAY_H
#define MZ_RUNTIME_CORE_WAY_H

#include "runtime/core/object.h"
#include "runtime/core/uncontrolled.h"

struct mz_block;

struct mz_way {
	/* Returns whether a thread that waits where it hears of requests (objects/point.h) may go on, once the object
	 * that it waits for has changed: so that it `passes`, or does not. */
	bool (*may_go_on)(const struct mz_fiber *fiber, bool passes);
	/* Returns whether something was asked of the thread that it has not heard of. */
	bool (*is_asked)(const struct mz_fiber *self, const struct mz_object *requests);
	/* Returns the place of the call that the signals belong to which the thread handles before its next operation;
	 * 0 if nobody asks for it. */
	uintptr_t (*place_of_signals)(const struct mz_fiber *self);
	/* The thread begins an operation with so many accesses, and self->caller is set. Returns how many accesses the
	 * operation has with those that are added. */
	uint16_t (*begin_operation)(struct mz_fiber *self, enum mz_op op, uint16_t naccesses);
	/* The thread begins to wait for what is no operation. NULL: nothing is to be done. */
	void (*begin_waiting)(struct mz_fiber *self);
	/* The thread accesses memory without a visible operation, where data races are not looked for. */
	void (*touch)(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind);
	/* The thread has freed a block, which is handed out again if it is `recycled`. */
	void (*freed)(const struct mz_fiber *self, struct mz_block *block, uint8_t *start, bool recycled,
	              uintptr_t caller);
	/* Store and load what a state has of a thread besides what a checkpoint has. NULL: nothing. */
	void (*store_thread)(const struct mz_fiber *fiber, struct mz_state *state);
	void (*load_thread)(struct mz_fiber *fiber, struct mz_state *state);
	/* The program uses what is in no state, though it comes back with every execution. */
	void (*outside_of_states)(enum mz_uncontrolled what);
	/* The program does what a search of states cannot follow: then this does not return. */
	void (*not_in_states)(const char *why);
	/* findings are kept and recorded; else they are counted, and shown by an execution later */
	bool shows_findings;
	bool orders_arrivals;    /* arrivals at barriers are ordered whoever comes */
	bool evaluates_at_first; /* invariants are evaluated when they are stated, to know what they read */
};

extern const struct mz_way mz_way_of_executions, mz_way_of_states;

#endif
