/* SPDX-License-Identifier: MIT
 *
 * The signals that the kernel sends to a faulty program (SIGSEGV and its kin), and the findings about them.
 */
#ifndef MZ_RUNTIME_OBJECTS_FATAL_H
#define MZ_RUNTIME_OBJECTS_FATAL_H

#include "runtime/core/core.h"

#define MZ_FATAL_MAX 31 /* the highest number among these signals */

/* Reports whether the signal is one of these: the kernel is never told of a handler of the program for it. */
bool mz_crash_is_ours(int number);
/* Reports that the thread got this signal and has no handler for it. `address` is the memory whose access caused the
 * signal. */
void mz_crash_report(struct mz_fiber *self, int number, uintptr_t address, uintptr_t place);
/* Reports that the thread has used up its stack. */
void mz_crash_report_overflow(struct mz_fiber *self, uintptr_t place);

#endif
