/* SPDX-License-Identifier: MIT
 *
 * Files that threads share. What one thread writes to a file another may read: then both are steps, on the file as an
 * object. Which files these are is not known beforehand. A file that is read and written in an execution, and used by
 * two of its threads, or that a thread reads from a position which another one moves, is put on the session's list, and
 * the search begins anew with its uses as steps. So programs whose threads have files of their own, or only write what
 * nobody reads (logs), pay nothing. Standard output is never a step, and standard input is if it is a file, or an input.
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
	MZ_FILE_MOVES = 4,    /* the call uses the file position, or the stream */
	MZ_FILE_BUFFERED = 8, /* the call reads from the stream's buffer, or leaves in the buffer what it writes */
	MZ_FILE_CLOSES = 16,  /* the call closes the file: nothing depends on where the position was */
};

/* Returns the use (enum mz_file_use) of a call that writes `size` bytes to the stream. */
unsigned mz_stream_writes(FILE *stream, size_t size);

/* Called before SELF uses the file of a descriptor, a stream, or a name: if threads share the file, this is a visible
 * operation, and returns when SELF is chosen. */
void mz_shared_file_use(struct mz_fiber *self, int fd, unsigned use, uintptr_t caller);
void mz_shared_file_use_stream(struct mz_fiber *self, FILE *stream, unsigned use, uintptr_t caller);
void mz_shared_file_use_name(struct mz_fiber *self, const char *path, unsigned use, uintptr_t caller);

/* Note that SELF has opened a file under this name (NULL: without a name); that `to` is a duplicate of `fd`; that a
 * descriptor was closed; that a file was renamed. */
void mz_shared_file_opened(struct mz_fiber *self, int fd, const char *path);
void mz_shared_file_duplicated(int fd, int to);
void mz_shared_file_closed(int fd);
void mz_shared_file_renamed(const char *from, const char *to);
/* Notes that SELF maps the file so that others see what it writes there. */
void mz_shared_file_mapped(struct mz_fiber *self, int fd);
/* Notes that the name `path` was made at random from the template `from`. */
void mz_shared_file_named(struct mz_fiber *self, const char *path, const char *from);

/* Acquire, try to acquire, and release the lock of a stream (flockfile). */
void mz_stream_lock(struct mz_fiber *self, FILE *stream, uintptr_t caller);
bool mz_stream_try(struct mz_fiber *self, FILE *stream, uintptr_t caller);
void mz_stream_unlock(struct mz_fiber *self, FILE *stream, uintptr_t caller);
/* See state.h and parts.h: a state has how often each stream is locked; `state` is NULL where no stream was locked
 * yet. */
bool mz_shared_files_is_used(void);
void mz_shared_files_store(struct mz_state *state);
void mz_shared_files_load(struct mz_state *state);
void mz_shared_files_identity(struct mz_state *state);

/* Forgets everything of the last execution. */
void mz_shared_files_reset(void);

#endif
