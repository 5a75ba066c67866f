/* SPDX-License-Identifier: MIT
 *
 * states: stateful search of every state there is, without any reduction (engine/stateful/cartesian.h with minimal
 * vectors).
 */
#include "engine/strategy.h"

const struct mz_strategy mz_strategy_states = {
    .name = "states",
    .no_inputs = true,
    .stateful = true,
    .minimal = true,
};
