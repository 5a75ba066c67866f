/* SPDX-License-Identifier: MIT
 *
 * The folder that a run leaves its traces in.
 */
#ifndef MZ_CLI_OUTPUT_H
#define MZ_CLI_OUTPUT_H

#include "trace/trace.h"
#include <limits.h>

#define MZ_OUTPUT_DEFAULT "mazurka-out"

/* Whether traces could be written there, without making anything: 0, or -1 after saying why not. */
int mz_output_check(const char *folder);
/* Makes the folder and removes the traces of an earlier run. 0, or -1 after saying why not. */
int mz_output_open(const char *folder);
/* Writes bug-N.trace (or another name) and leaves its path in `path`. 0, or -1 after saying why not. */
int mz_output_trace(const char *folder, const char *name, const struct mz_trace *trace, char path[PATH_MAX]);

#endif
