/* SPDX-License-Identifier: MIT
 *
 * Checkpoints: states in the middle of the schedule, at increasing depths, that executions start from instead of from
 * the beginning. They save time and change nothing else.
 */
#ifndef MZ_RUNTIME_STATES_CHECKPOINT_H
#define MZ_RUNTIME_STATES_CHECKPOINT_H

#include "runtime/core/core.h"

/* Loads the deepest checkpoint that is valid when the first `known` steps stay as they were, and forgets deeper ones.
 * Returns false, having changed nothing, if there is none. */
bool mz_checkpoint_load(uint32_t known);
/* Forgets all checkpoints. */
void mz_checkpoint_forget(void);

/* Returns the depth at which the execution that begins now should store a checkpoint, MZ_CHECKPOINT_NEVER for none; and
 * stores one, at that depth. */
#define MZ_CHECKPOINT_NEVER UINT32_MAX
uint32_t mz_checkpoint_plan(uint32_t known);
void mz_checkpoint_store(void);

#endif
