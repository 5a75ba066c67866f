/* SPDX-License-Identifier: MIT
 *
 * The kernel's handler of fatal signals.
 */
#ifndef MZ_RUNTIME_SCHEDULE_CRASH_H
#define MZ_RUNTIME_SCHEDULE_CRASH_H

/* Takes over the signals that a faulty program gets. */
void mz_crash_init(void);

#endif
