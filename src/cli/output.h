/* SPDX-License-Identifier: MIT
 *
 * The folder that a run leaves its traces in.
 */
#ifndef MZ_CLI_OUTPUT_H
#define MZ_CLI_OUTPUT_H

#include "trace/trace.h"
#include <limits.h>

#define MZ_OUTPUT_DEFAULT "mazurka-out"

/* Makes the folder if it is not there and sees that it can be written to. `*made` is whether it was made. 0, or -1
 * after saying why not. */
int mz_output_make(const char *folder, bool *made);
/* Removes the traces of an earlier run, or of an earlier run of the n-th mz_check() of a program. */
void mz_output_clear(const char *folder, uint32_t check);
/* "bug-1.trace"; "check-2-bug-1.trace" for a bug of the second mz_check(). */
#define MZ_OUTPUT_NAME 48
void mz_output_name(char name[MZ_OUTPUT_NAME], uint32_t check, uint32_t bug);
/* Writes bug-N.trace (or another name) and leaves its path in `path`. 0, or -1 after saying why not. */
int mz_output_trace(const char *folder, const char *name, const struct mz_trace *trace, char path[PATH_MAX]);

#endif
