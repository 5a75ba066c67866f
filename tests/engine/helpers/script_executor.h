/* SPDX-License-Identifier: MIT
 *
 * A machine as an executor of the engine.
 */
#ifndef MZ_TESTS_SCRIPT_EXECUTOR_H
#define MZ_TESTS_SCRIPT_EXECUTOR_H

#include "machine.h"

struct script_executor {
	struct machine machine;
	uint32_t max_steps;
	bool first_done; /* the edges from before the first step are reported in the first run only */
	uint32_t nsteps; /* of the last execution */
	bool secretive;  /* like a host: what enabled threads are about to touch is not told */
	uint64_t whim;   /* if not 0: who "went last" is made up, so that free choices are made in a random order */
	/* if not NULL: told about everything, known steps included */
	void *watcher;
	void (*begin)(void *watcher);
	void (*event)(void *watcher, const struct mz_event *event);
	void (*edge)(void *watcher, struct machine_edge edge);
};

void script_executor_init(struct script_executor *executor, const struct script *script, uint32_t max_steps);
void script_executor_release(struct script_executor *executor);
/* mz_executor.run; `self` is a script_executor. */
enum mz_end script_executor_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                                struct mz_view *view);

#endif
