/* SPDX-License-Identifier: MIT
 *
 * cartesian: stateful search by cartesian vectors (engine/stateful/cartesian.h). It is no search of executions: nothing
 * here is called. As published, vectors are those of Figure 6 to the letter (engine/stateful/vector.h says what that may
 * miss).
 */
#include "engine/strategy.h"

static bool may_miss(unsigned bounds, bool sleeps)
{
	(void)bounds, (void)sleeps;
	return true;
}

static const struct mz_strategy published = {
    .name = "cartesian",
    .no_inputs = true,
    .stateful = true,
    .may_miss = may_miss,
};

const struct mz_strategy mz_strategy_cartesian = {
    .name = "cartesian",
    .published = &published,
    .no_inputs = true,
    .stateful = true,
};
