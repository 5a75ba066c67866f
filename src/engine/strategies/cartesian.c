/* SPDX-License-Identifier: MIT
 *
 * cartesian: stateful search by cartesian vectors (engine/stateful/cartesian.h). It is no search of executions: nothing
 * here is called.
 */
#include "engine/strategy.h"

const struct mz_strategy mz_strategy_cartesian = {
    .name = "cartesian",
    .no_inputs = true,
    .stateful = true,
};
