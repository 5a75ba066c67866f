/* SPDX-License-Identifier: MIT
 *
 * delays: at most so many delays (Emmi, Qadeer, Rakamaric, POPL 2011). Left alone, a fixed scheduler lets the thread that
 * went last go on, or if it cannot or has yielded the next one around the circle; a delay makes it pass over one thread
 * that the other bounds would allow.
 *
 * Neither stable nor extensible. No strategy reduces within it: every step moves the place in the circle from which the
 * scheduler looks on, and what each other thread costs depends on that place, so each step depends on every other for
 * the bound's sake. There are at most D + 1 ways at a choice anyway.
 */
#include "engine/scheduling/bound.h"

/* Returns the thread from which on the fixed scheduler looks for one that can go. */
static uint32_t circle_start(const struct mz_bound_state *state)
{
	if (!state->last) return 0;
	uint32_t start = state->last->thread + (state->last->op == MZ_OP_YIELD);
	return start < state->view->nthreads ? start : 0;
}

static uint32_t cost(const struct mz_bound_state *state, uint32_t thread, uint32_t before)
{
	uint32_t passed = 0, t = circle_start(state);
	while (t != thread) {
		passed += mz_bound_permits(state, t, ~(unsigned)MZ_BOUND_DELAYS);
		t = t + 1 < state->view->nthreads ? t + 1 : 0;
	}
	return before + passed;
}

const struct mz_bound mz_bound_delays = {
    .name = "delays",
    .bit = MZ_BOUND_BIT_DELAYS,
    .cost = cost,
};
