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

/* Notes the descriptors that are open now. Called before the first execution. */
void mz_files_save(void);
/* Notes a descriptor that the runtime has opened since, for itself: it is not closed between executions. */
void mz_files_keep(int fd);
/* Reports whether FD is a descriptor of our own: to the program nothing is open under that number. */
bool mz_files_is_ours(int fd);
/* Returns the highest number among our own descriptors and those that were open before the first execution; -1 if there
 * are none. */
int mz_files_last(void);
/* Undoes what the last execution did to files. Called before every execution but the first, and at the end. */
void mz_files_restore(void);

/* Called before the program changes or creates the file of that name: keeps its contents. */
void mz_files_change(const char *path);
/* Called after the program has opened a descriptor; opened, or is about to close, a stream. */
void mz_files_opened(int fd);
void mz_files_stream_opened(FILE *stream);
void mz_files_stream_closed(FILE *stream);

/* Resolves links and dots in a path whose last component need not exist. Returns false if that is not possible. */
bool mz_files_resolve(const char *path, char resolved[PATH_MAX]);

/* Called when the program uses a descriptor in a way that moves its position. */
void mz_files_moved(int fd);
/* Called before the program closes a descriptor that was open before main, or reuses its number: it is restored
 * later. */
void mz_files_replace(int fd);

/* Reports whether a path names the system's randomness (/dev/urandom and its kin). */
bool mz_files_is_random(const char *path);

#endif
