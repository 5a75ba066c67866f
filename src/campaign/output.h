/* SPDX-License-Identifier: MIT
 *
 * Writes what a run leaves behind: files that appear as a whole or not at all, and the folder for its traces.
 */
#ifndef MZ_CAMPAIGN_OUTPUT_H
#define MZ_CAMPAIGN_OUTPUT_H

#include "trace/trace.h"
#include <limits.h>

#define MZ_OUTPUT_DEFAULT "mazurka-out"
#define MZ_OUTPUT_BROKEN "internal-error.trace" /* the schedule that led to an internal error */

/* A file that is being written. It is written under another name beside its place and gets its own name when it is
 * complete. A path that is no regular file (a terminal, a pipe), or lies in a folder that cannot be written to, is
 * written to directly. */
struct mz_output {
	FILE *out;
	char path[PATH_MAX];
	char aside[PATH_MAX + 32]; /* the name while it is written; empty: it is written directly */
};

/* Begins to write a file. Returns 0, or -1 with errno set. */
int mz_output_open(struct mz_output *output, const char *path);
/* The same for a file that nobody but its owner may read at any time, and that is always written under another name first. */
int mz_output_open_private(struct mz_output *output, const char *path);
/* Ends writing: gives the file its name if `good` and no error occurred, else removes it. Returns 0, or -1 with errno
 * set. */
int mz_output_close(struct mz_output *output, bool good);
/* Checks that a file can be written at `path`, and removes one that an earlier run left: until there is a new file,
 * there is none. Returns 0, or -1 with errno set. */
int mz_output_prepare(const char *path);

/* Makes the folder if it is not there and checks that it can be written to. `*made` says whether it was made. Returns
 * 0, or -1 after saying why not. */
int mz_output_make_folder(const char *folder, bool *made);
/* The same for the folder in which a run keeps its open work. */
int mz_output_make_keep(const char *folder);
/* Removes the traces of an earlier run, or of an earlier run of the n-th mz_check() of a program. */
void mz_output_remove_traces(const char *folder, uint32_t check);
/* Fills in the name of a trace: "bug-1.trace"; "check-2-bug-1.trace" for a bug of the second mz_check(). */
#define MZ_OUTPUT_NAME 48
void mz_output_trace_name(char name[MZ_OUTPUT_NAME], uint32_t check, uint32_t bug);
/* Makes the folder for inputs of paths and removes those of an earlier run. Returns a file descriptor of the folder for
 * workers, or -1 after saying why not. */
int mz_output_open_tests(const char *folder);
/* Writes a trace to the folder under that name and leaves its path in `path`. Returns 0, or -1 after saying why not. */
int mz_output_write_trace(const char *folder, const char *name, const struct mz_trace *trace, char path[PATH_MAX]);

#endif
