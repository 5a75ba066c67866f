/* SPDX-License-Identifier: MIT
 *
 * What the program leaves behind: memory that nobody knows of, and threads that nobody has joined or detached.
 */
#ifndef MZ_RUNTIME_SCHEDULE_LEAK_H
#define MZ_RUNTIME_SCHEDULE_LEAK_H

#include "runtime/core/core.h"

/* The program has come to its end, all threads are where they were last: one finding for each place that allocated
 * blocks which cannot be reached any more. */
void mz_leak_report(void);
/* One finding for each place that created such threads. */
void mz_leak_report_threads(void);

#endif
