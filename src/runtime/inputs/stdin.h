/* SPDX-License-Identifier: MIT
 *
 * Standard input as an input that is explored (`--symbolic-stdin`). A file in memory takes the place of descriptor 0
 * before the first execution; each execution begins with its own bytes in the file, and reads it from the start. The
 * number of bytes is an input, too: the end of the file can come earlier. Bytes that are read into memory get their
 * shadows. The C library reads the file like any other: values that it computes from the bytes itself (scanf with "%f")
 * are right, but have no shadows, and are counted as lost.
 */
#ifndef MZ_RUNTIME_INPUTS_STDIN_H
#define MZ_RUNTIME_INPUTS_STDIN_H

#include "runtime/core/core.h"
#include <stdio.h>
#include <sys/uio.h>

struct stat;
struct statx;

/* Puts the file in place, if the configuration asks for it. Called before the first execution. */
void mz_stdin_start(void);
/* Fills the file with the bytes of this execution. Called before main. */
void mz_stdin_begin(struct mz_fiber *self);

/* Give the bytes that the program has read their shadows: it asked for `asked` bytes and got `read` (less than 0: the
 * call failed), which end where the descriptor is now, or begin at `start`. The functions are steps: they branch on the
 * length of standard input, which decides how many bytes there were. */
void mz_stdin_read(int fd, const void *to, size_t asked, ssize_t read, uintptr_t caller);
void mz_stdin_read_at(int fd, const void *to, size_t asked, ssize_t read, off_t start, uintptr_t caller);
/* The same for several places, which are filled one after the other. */
void mz_stdin_read_vectors(int fd, const struct iovec *vectors, int n, ssize_t read, uintptr_t caller);
void mz_stdin_read_vectors_at(int fd, const struct iovec *vectors, int n, ssize_t read, off_t start, uintptr_t caller);
/* The same for a stream: called before, and after, it has read. */
void mz_stdin_start_stream(FILE *stream);
void mz_stdin_read_stream(FILE *stream, const void *to, size_t asked, uintptr_t caller);
/* The same for a stream that has taken one byte, or has `found` none, without the branch. Returns what mz_stdin_there() is
 * to be told, which is the branch. */
int mz_stdin_took(FILE *stream, const void *to, bool found, uintptr_t caller);
void mz_stdin_there(int at, uintptr_t caller);
/* Says that a byte is about to be put back into a stream (ungetc): the next read of the stream begins with it. */
void mz_stdin_put_back(FILE *stream);
/* Reports whether what is read from a stream has shadows, or had them where a replay is of. */
bool mz_stdin_is(FILE *stream);
/* Says that a function of the C library has read from a stream, and where the bytes went is not known. */
void mz_stdin_lose(FILE *stream, const char *function, uintptr_t caller);

/* Says that the program has been told about a file; if it is standard input, its size depends on inputs. */
void mz_stdin_status(struct stat *status, uintptr_t caller);
void mz_stdin_status_x(const struct statx *status, uintptr_t caller);
/* Says that the program has moved a descriptor, and was told where it is. */
void mz_stdin_sought(int fd, off_t by, int whence, off_t result, uintptr_t caller);
/* Says that the program moves a stream, or gives back what it has read ahead. */
void mz_stdin_move_stream(FILE *stream, uintptr_t caller);
/* Says that the program was told how much there is to read from a descriptor. */
void mz_stdin_asked(int fd, uintptr_t caller);
/* Says that a call reads from a descriptor, and where the bytes go is not followed. */
void mz_stdin_lose_all(int fd, const char *what, uintptr_t caller);

#endif
