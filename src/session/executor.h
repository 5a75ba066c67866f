/* SPDX-License-Identifier: MIT
 *
 * The interface between the side that decides (explorer and engine) and the side that runs the program (the native
 * runtime, or a script in the tests). An executor runs one execution at a time and asks its driver which thread goes
 * next.
 *
 * Order of calls in one run(): the executor repeats the first `known` steps of the schedule exactly as they were
 * executed before, and calls nothing meanwhile. Then, as long as some thread is enabled and the driver did not end the
 * execution, it calls choose(view), then observe(event) for the step that was chosen, then order() any number of times
 * for what the thread does before its next visible operation, or before the first one of threads that it creates.
 * order() calls that belong to the known steps (including those after the last known event) are not repeated.
 */
#ifndef MZ_SESSION_EXECUTOR_H
#define MZ_SESSION_EXECUTOR_H

#include "trace/view.h"

struct mz_driver {
	void *self;
	/* Chooses the next step. A step with thread MZ_NO_THREAD ends the execution here. */
	struct mz_step (*choose)(void *self, const struct mz_view *view);
	void (*observe)(void *self, const struct mz_event *event);
	/* Says that everything thread `before` has done so far happens before everything thread `after` does from now
	 * on (create, join, wake). */
	void (*order)(void *self, uint32_t before, uint32_t after);
};

enum mz_end {
	MZ_END_FINISHED, /* no thread is left */
	MZ_END_DEADLOCK, /* threads are left and none is enabled */
	MZ_END_STOPPED,  /* the driver ended it */
	MZ_END_STEPS,    /* the limit on steps was reached */
	MZ_END_LIMITED,  /* a thread was stopped at a limit, and the others came to their end */
	MZ_END_ASSUMED,  /* mz_assume() has dropped it: it ended, but does not count */
	MZ_END_MISSED,   /* the step that was chosen last cannot be made: inputs do not lead where they should */
	MZ_END_DIVERGED, /* a known step could not be followed as before */
	MZ_END_INPUTS,   /* never returned: the executor runs it again, with other inputs */
	MZ_END_AGAIN,    /* operations touch more than was known before: the search has to begin anew */
};

struct mz_executor {
	void *self;
	/* Runs one execution. `schedule` has room for as many steps as an execution may take; the first `known` are
	 * filled in, the executor fills in the rest as they are chosen. Leaves the final state of the threads in
	 * `view`, valid until the next call. */
	enum mz_end (*run)(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
	                   struct mz_view *view);
	/* Says that workers that share the exploration are about to begin: what they have learned of the program is known. */
	void (*begin)(void *self);
	/* Says that the search begins anew, and more is known of the program, although no execution of this executor has
	 * ended with MZ_END_AGAIN. */
	void (*restart)(void *self);
};

#endif
