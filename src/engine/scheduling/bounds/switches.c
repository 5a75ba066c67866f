/* SPDX-License-Identifier: MIT
 *
 * switches: at most so many switches from one thread to another, whether the first could have gone on or not (the bound on
 * context switches of Section 2.5).
 *
 * Neither stable nor extensible, for the same reasons as preemptions. But which threads are enabled does not matter to
 * it: only who went last.
 */
#include "engine/scheduling/bound.h"

static uint32_t cost(const struct mz_bound_state *state, uint32_t thread, uint32_t before)
{
	return before + (state->last && state->last->thread != thread);
}

const struct mz_bound mz_bound_switches = {
    .name = "switches",
    .bit = MZ_BOUND_BIT_SWITCHES,
    .cost = cost,
};
