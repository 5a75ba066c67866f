/* SPDX-License-Identifier: MIT
 *
 * What the program leaves behind: memory that nobody knows of, and threads that nobody has joined or detached.
 */
#ifndef MZ_RUNTIME_SCHEDULE_LEAK_H
#define MZ_RUNTIME_SCHEDULE_LEAK_H

#include "runtime/core/core.h"

/* Reports, at the end of the program, one finding for each place that allocated blocks which cannot be reached any
 * more. All threads must be suspended where they were last. */
void mz_leak_report(void);
/* Reports one finding for each place that created threads which nobody has joined or detached. */
void mz_leak_report_threads(void);

#endif
