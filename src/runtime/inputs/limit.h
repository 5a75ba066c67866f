/* SPDX-License-Identifier: MIT
 *
 * Limits on inputs: where one is reached, the path is given up, and the run goes on with others.
 */
#ifndef MZ_RUNTIME_INPUTS_LIMIT_H
#define MZ_RUNTIME_INPUTS_LIMIT_H

#include "runtime/core/core.h"

/* Gives up the path of this execution: ends the thread that is running. The other threads come to their end, and the execution
 * counts as one that is not complete. */
_Noreturn void mz_inputs_give_up(enum mz_input_limit limit);

#endif
