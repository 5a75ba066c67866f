/* SPDX-License-Identifier: MIT
 *
 * Checkpoints: states in the middle of the schedule, at increasing depths, that executions start from instead of from
 * the beginning. They save time and change nothing else.
 */
#ifndef MZ_RUNTIME_STATES_CHECKPOINT_H
#define MZ_RUNTIME_STATES_CHECKPOINT_H

#include "runtime/core/core.h"

/* Goes to the deepest state that is still good when the first `known` steps stay as they were, and forgets deeper ones.
 * False if there is none: then nothing was done. */
bool mz_checkpoint_load(uint32_t known);
/* Forgets all. */
void mz_checkpoint_forget(void);

/* The depth at which a state is to be stored in the execution that begins here, MZ_CHECKPOINT_NEVER for none; and
 * stores it there. */
#define MZ_CHECKPOINT_NEVER UINT32_MAX
uint32_t mz_checkpoint_plan(uint32_t known);
void mz_checkpoint_store(void);

#endif
