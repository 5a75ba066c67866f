/* SPDX-License-Identifier: MIT
 *
 * mz_check(): a function of a running program is explored in a forked process.
 */
#ifndef MZ_RUNTIME_START_CHECK_H
#define MZ_RUNTIME_START_CHECK_H

#include <mazurka.h>
#include <stdbool.h>
#include <stdint.h>

/* Reports whether a loaded module imports mz_check(). */
bool mz_check_is_used(void);

/* What the reporting library (libmazurka-check.so) is asked to do: explore with `body` in forked processes, and report.
 * Returns what mz_check() returns. */
struct mz_check_request {
	const mz_options *options;
	uint32_t number; /* the n-th mz_check() of the process, from 1 */
	void (*body)(void *argument, int session_fd);
	void *body_argument;
};
#define MZ_CHECK_LIBRARY "libmazurka-check.so"
#define MZ_CHECK_FUNCTION "mz_check_run"
typedef int mz_check_function(const struct mz_check_request *request);

#endif
