/* SPDX-License-Identifier: MIT
 *
 * A driver that leaves nothing on the stacks of threads: it is called on the explorer's own stack.
 */
#ifndef MZ_RUNTIME_SCHEDULE_APART_H
#define MZ_RUNTIME_SCHEDULE_APART_H

#include "runtime/core/core.h"
#include "session/executor.h"

/* Returns the driver itself, or one that calls it on the explorer's stack, until the next call of this function. Where
 * live stacks are compared, drivers do not run on them: they need more of a stack than is wiped. Nor do they where
 * threads have stacks of the program's own making, which may be small. */
const struct mz_driver *mz_driver_for(const struct mz_driver *driver);

#endif
