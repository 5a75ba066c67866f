/* SPDX-License-Identifier: MIT
 *
 * What executions leave in the world of files. Before the next one starts, streams and descriptors that are still open
 * are closed, those that were there before get their positions back, and files that the program has opened for writing,
 * removed or renamed are what they were before the first execution: their contents are kept at the first such call.
 */
#ifndef MZ_RUNTIME_WORLD_FILES_H
#define MZ_RUNTIME_WORLD_FILES_H

#include "runtime/core/core.h"
#include <limits.h>
#include <stdio.h>

/* Before the first execution. */
void mz_files_save(void);
/* A descriptor of our own, which is not to be closed: opened since. */
void mz_files_keep(int fd);
/* Reports whether FD is a descriptor of our own: to the program nothing is open under that number. */
bool mz_files_is_ours(int fd);
/* Returns the highest number among our own descriptors and those that were open before the first execution; -1 if there
 * are none. */
int mz_files_last(void);
/* Before every other one, and at the end. */
void mz_files_restore(void);

/* The program will change the file of that name, or make it. */
void mz_files_change(const char *path);
/* It has opened or closed something. */
void mz_files_opened(int fd);
void mz_files_stream_opened(FILE *stream);
void mz_files_stream_closed(FILE *stream);

/* The path without links and dots, of a file that need not exist; false if there is none. */
bool mz_files_resolve(const char *path, char resolved[PATH_MAX]);

/* The program uses a descriptor in a way that moves its position, */
void mz_files_moved(int fd);
/* or is about to close it, or to have its number stand for something else. What was there before comes back. */
void mz_files_replace(int fd);

/* Whether a path names the system's randomness. */
bool mz_files_is_random(const char *path);

#endif
