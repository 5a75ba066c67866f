/* SPDX-License-Identifier: MIT
 *
 * Where the execution stands, as the scheduler has it: a part of its state (parts.h).
 */
#include "runtime/core/core.h"
#include "runtime/objects/objects.h"
#include "runtime/states/states.h"

struct standing {
	uint64_t signature;
	uint32_t nsteps;
	uint32_t nenabled;
	uint32_t signals_pending;
	uint32_t current;
	uint32_t nfindings;
	bool assumed;
	bool limited;
	uint32_t nthreads;
	struct mz_exit exit;
};

void mz_standing_reset(void)
{
	mz_rt.execution.nsteps = 0;
	mz_rt.execution.nenabled = 0;
	mz_rt.execution.nsignalling = 0;
	mz_rt.execution.signature = 0;
	mz_rt.execution.nfindings = 0;
	mz_rt.execution.assumed = false;
	mz_rt.execution.limited = false;
	mz_rt.execution.nthreads = 0;
	mz_rt.exit = (struct mz_exit){0};
	mz_rt.execution.view.current = MZ_NO_THREAD;
}

void mz_standing_store(struct mz_state *state)
{
	const struct standing standing = {mz_rt.execution.signature,    mz_rt.execution.nsteps,
	                                  mz_rt.execution.nenabled,     mz_rt.execution.nsignalling,
	                                  mz_rt.execution.view.current, mz_rt.execution.nfindings,
	                                  mz_rt.execution.assumed,      mz_rt.execution.limited,
	                                  mz_rt.execution.nthreads,     mz_rt.exit};
	mz_state_put(state, &standing, sizeof standing);
}

void mz_standing_load(struct mz_state *state)
{
	const struct standing *standing = mz_state_next(state, sizeof *standing);
	mz_rt.execution.signature = standing->signature;
	mz_rt.execution.nsteps = standing->nsteps;
	mz_rt.execution.nenabled = standing->nenabled;
	mz_rt.execution.nsignalling = standing->signals_pending;
	mz_rt.execution.view.current = standing->current;
	mz_rt.execution.nfindings = standing->nfindings;
	mz_rt.execution.assumed = standing->assumed;
	mz_rt.execution.limited = standing->limited;
	mz_rt.execution.nthreads = standing->nthreads;
	mz_rt.exit = standing->exit;
}
