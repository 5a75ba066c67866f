/* SPDX-License-Identifier: MIT
 *
 * What a run leaves behind: files that are there as a whole or not at all, and the folder for its traces.
 */
#ifndef MZ_CAMPAIGN_OUTPUT_H
#define MZ_CAMPAIGN_OUTPUT_H

#include "trace/trace.h"
#include <limits.h>

#define MZ_OUTPUT_DEFAULT "mazurka-out"
#define MZ_OUTPUT_BROKEN "internal-error.trace" /* the schedule that led to an internal error */

/* A file under way. It is written aside and gets its name when it is complete; what is no regular file (a terminal, a
 * pipe), or lies in a folder that cannot be written to, is written to as it is. */
struct mz_output {
	FILE *out;
	char path[PATH_MAX];
	char aside[PATH_MAX + 32]; /* empty: there is no other name */
};

/* 0, or -1 with errno set. */
int mz_output_open(struct mz_output *output, const char *path);
/* Gives the file its name if it was written without error, else removes what there is of it. 0, or -1 with errno. */
int mz_output_close(struct mz_output *output, bool good);
/* Sees whether a file could be written there, and removes what an earlier run left: from now on there is no file until
 * there is a new one. 0, or -1 with errno set. */
int mz_output_prepare(const char *path);

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
