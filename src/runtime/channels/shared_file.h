/* SPDX-License-Identifier: MIT
 *
 * Files that threads share. What one thread writes to a file another may read: then both are steps, on the file as an
 * object. Which files these are is not known beforehand. A file that is read and written in an execution, and used by
 * two of its threads, or that a thread reads from a position which another one moves, is put on the session's list, and
 * the search begins anew with its uses as steps. So programs whose threads have files of their own, or only write what
 * nobody reads (logs), pay nothing. Standard output is never a step, and standard input is if it is a file.
 *
 * A file is known by its name, without links; one with a name made at random (mkstemp) by the name it was made from.
 * The position in a file belongs to the descriptor, and to its duplicates: it is an object too, and so is a stream with
 * its buffer. A search of states does not follow files.
 */
#ifndef MZ_RUNTIME_CHANNELS_SHARED_FILE_H
#define MZ_RUNTIME_CHANNELS_SHARED_FILE_H

#include "runtime/core/core.h"
#include <stdio.h>

/* What a call does to a file: the sum of these. */
enum mz_file_use {
	MZ_FILE_READS = 1,
	MZ_FILE_WRITES = 2,
	MZ_FILE_MOVES = 4,    /* it uses the position, or the stream */
	MZ_FILE_BUFFERED = 8, /* and gets what it reads from the stream's buffer, or leaves there what it writes */
	MZ_FILE_CLOSES = 16,  /* nobody learns from it where the position was */
};

/* The use of a stream that writes so many bytes to it. */
unsigned mz_stream_writes(FILE *stream, size_t size);

/* The thread is about to use the file of a descriptor, a stream, or a name: returns when it may. */
void mz_shared_file_use(struct mz_fiber *self, int fd, unsigned use, uintptr_t caller);
void mz_shared_file_use_stream(struct mz_fiber *self, FILE *stream, unsigned use, uintptr_t caller);
void mz_shared_file_use_name(struct mz_fiber *self, const char *path, unsigned use, uintptr_t caller);

/* It has opened a file under this name (NULL: it has none); has got another number for what is open; has closed it. */
void mz_shared_file_opened(struct mz_fiber *self, int fd, const char *path);
void mz_shared_file_duplicated(int fd, int to);
void mz_shared_file_closed(int fd);
void mz_shared_file_renamed(const char *from, const char *to);
/* It maps the file so that others see what is written there. */
void mz_shared_file_mapped(struct mz_fiber *self, int fd);
/* A name that was made at random, from a template. */
void mz_shared_file_named(struct mz_fiber *self, const char *path, const char *from);

/* The lock that a stream has. */
void mz_stream_lock(struct mz_fiber *self, FILE *stream, uintptr_t caller);
bool mz_stream_try(struct mz_fiber *self, FILE *stream, uintptr_t caller);
void mz_stream_unlock(struct mz_fiber *self, FILE *stream, uintptr_t caller);
/* In a state there is how often each stream is locked; `state` is NULL where none has been yet. */
bool mz_shared_files_is_used(void);
void mz_shared_files_store(struct mz_state *state);
void mz_shared_files_load(struct mz_state *state);
void mz_shared_files_identity(struct mz_state *state);

/* For the next execution. */
void mz_shared_files_reset(void);

#endif
