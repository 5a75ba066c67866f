/* SPDX-License-Identifier: MIT
 *
 * Values that have to be concrete: addresses, sizes, targets of calls. Each value that is possible becomes a path of
 * its own, up to a limit (--max-values).
 *
 * A value is settled by a chain of branches: is it the first one that was tried? The second one? ... The last answer is
 * yes. Which values are tried must not depend on the schedule, or the same path would have different branches. So they
 * are kept for the whole run, by the past of the thread: where a chain is extended for the first time, it is extended
 * by the value that the execution under way has.
 */
#ifndef MZ_RUNTIME_INPUTS_SETTLE_H
#define MZ_RUNTIME_INPUTS_SETTLE_H

#include "runtime/core/core.h"

/* Branches until an expression can only have the value that it has. */
void mz_settle(struct mz_fiber *self, uint32_t expression, uintptr_t caller);

#endif
