/* SPDX-License-Identifier: MIT
 *
 * depth: at most so many steps; an execution that is longer is given up there.
 *
 * Stable, because equivalent executions have as many steps, though the paper says of this bound, too, that it is not. Not
 * extensible: a step that comes before others makes each of them one step later.
 *
 * No strategy reduces within it. What a race would have to be reversed for may show only beyond the bound, in the rest
 * of an execution that is given up, while the reversed execution is short and within it. Each state near the bound
 * would need every thread added, which is what `dfs` does.
 */
#include "engine/scheduling/bound.h"

static uint32_t cost(const struct mz_bound_state *state, uint32_t thread, uint32_t before)
{
	(void)state;
	(void)thread;
	return before + 1;
}

const struct mz_bound mz_bound_depth = {
    .name = "depth",
    .bit = MZ_BOUND_BIT_DEPTH,
    .stable = true,
    .cost = cost,
};
