/* SPDX-License-Identifier: MIT
 *
 * --isolation process: every execution in a process of its own, forked from the worker before main. The worker runs no
 * execution itself; it asks the driver on behalf of the process that does.
 */
#ifndef MZ_RUNTIME_START_ISOLATION_H
#define MZ_RUNTIME_START_ISOLATION_H

#include "runtime/core/core.h"

/* Runs one execution as mz_runtime_run() does, in a child process. */
enum mz_end mz_isolation_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                             struct mz_view *view);

#endif
