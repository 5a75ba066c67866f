/* SPDX-License-Identifier: MIT
 *
 * preemptions: at most so many switches away from a thread that could have gone on (Definition 2.5). A thread that may
 * not go on because of its yields is not preempted by a switch: so this bound and the fair one together never forbid all
 * enabled threads.
 *
 * Not stable: of Figure 1, t1 t3 t2 costs a preemption, and t3 t1 t2, which is equivalent, none. Not extensible: t1 does
 * not conflict with t3, but to go on with t3 costs more after it.
 */
#include "engine/scheduling/bound.h"

static uint32_t cost(const struct mz_bound_state *state, uint32_t thread, uint32_t before)
{
	uint32_t running = state->node->running;
	return before + (running != MZ_NO_THREAD && running != thread);
}

const struct mz_bound mz_bound_preemptions = {
    .name = "preemptions",
    .bit = MZ_BOUND_BIT_PREEMPTIONS,
    .cost = cost,
};
