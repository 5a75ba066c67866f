/* SPDX-License-Identifier: MIT
 *
 * Says in one line on standard error why a command cannot do what it was asked for.
 */
#ifndef MZ_REPORT_SAY_H
#define MZ_REPORT_SAY_H

#define MZ_EXIT_PASS 0
#define MZ_EXIT_BUG 1
#define MZ_EXIT_USAGE 2
#define MZ_EXIT_INCOMPLETE 3

/* Prints "mazurka: " and the text. Returns MZ_EXIT_USAGE. */
int mz_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints that an invariant of ours is broken, which another process noticed, and where the schedule that led there is
 * (may be NULL). Returns MZ_EXIT_USAGE. */
int mz_refuse_internal_error(const char *what, const char *trace);

#endif
