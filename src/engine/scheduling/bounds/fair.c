/* SPDX-License-Identifier: MIT
 *
 * fair: the thread that goes has yielded at most so many times more than any other thread that is enabled (Definition
 * 2.6). So no thread waits in a loop for ever while others could make progress.
 *
 * Not stable, not extensible: a release may enable a thread that is behind in yields, and so make what is independent of
 * it cost more.
 */
#include "engine/scheduling/bound.h"

static uint32_t cost(const struct mz_bound_state *state, uint32_t thread, uint32_t before)
{
	uint32_t ahead = mz_bound_yielded(state, thread) - state->least_yielded;
	return ahead > before ? ahead : before;
}

const struct mz_bound mz_bound_fair = {
    .name = "fair",
    .bit = MZ_BOUND_BIT_FAIR,
    .cost = cost,
};
