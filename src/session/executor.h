/* SPDX-License-Identifier: MIT
 *
 * The arrow between whoever decides (explorer and engine) and whatever runs (the native runtime, or a script in the
 * tests). An executor runs one execution at a time and asks its driver who goes next.
 *
 * Order of calls in one run(): the executor follows the first `known` steps of the schedule without a word, each of
 * them exactly as it was executed before. Then, as long as some thread is enabled and it was not told to stop:
 * choose(view), then observe(event) for the step chosen, then any number of order() calls for what the thread does
 * before its next visible operation, or before the first one of threads it creates. order() calls that belong to the
 * known steps (including those after the last known event) are not repeated.
 */
#ifndef MZ_SESSION_EXECUTOR_H
#define MZ_SESSION_EXECUTOR_H

#include "trace/view.h"

struct mz_driver {
	void *self;
	/* Who goes next. A step with thread MZ_NO_THREAD ends the execution here. */
	struct mz_step (*choose)(void *self, const struct mz_view *view);
	void (*observe)(void *self, const struct mz_event *event);
	/* Everything `before` has done so far happens before everything `after` does from now on (create, join, wake).
	 */
	void (*order)(void *self, uint32_t before, uint32_t after);
};

enum mz_end {
	MZ_END_FINISHED, /* no thread is left */
	MZ_END_DEADLOCK, /* threads are left and none is enabled */
	MZ_END_STOPPED,  /* the driver ended it */
	MZ_END_STEPS,    /* the limit on steps was reached */
	MZ_END_DIVERGED, /* a known step could not be followed as before */
	MZ_END_AGAIN,    /* operations touch more than was known: everything has to begin anew */
};

struct mz_executor {
	void *self;
	/* Runs one execution. `schedule` has room for as many steps as an execution may take; the first `known` are
	 * filled in, the executor fills in the rest as they are chosen. Leaves the final state of the threads in
	 * `view`, valid until the next call. */
	enum mz_end (*run)(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
	                   struct mz_view *view);
};

#endif
