/* SPDX-License-Identifier: MIT
 *
 * The signals that a faulty program gets, and what is said of them.
 */
#ifndef MZ_RUNTIME_OBJECTS_FATAL_H
#define MZ_RUNTIME_OBJECTS_FATAL_H

#include "runtime/core/core.h"

#define MZ_FATAL_MAX 31 /* none of them has a larger number */

/* Whether the signal is one of them: the kernel is never told of a handler of the program for it. */
bool mz_crash_is_ours(int number);
/* Reports that the thread got this signal and nobody handles it. `address` is the memory that it was about. */
void mz_crash_report(struct mz_fiber *self, int number, uintptr_t address, uintptr_t place);
/* Reports that it has used up its stack. */
void mz_crash_report_overflow(struct mz_fiber *self, uintptr_t place);

#endif
