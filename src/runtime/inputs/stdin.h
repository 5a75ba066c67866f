/* SPDX-License-Identifier: MIT
 *
 * Standard input as an input that is explored (`--symbolic-stdin`). A file in memory takes the place of descriptor 0
 * before the first execution; each execution begins with its bytes in that file, and at its beginning. What is read from
 * there into memory gets the shadows of these bytes. The C library reads the file like any other, so that what it makes of
 * the bytes itself (scanf) is right, but has no shadows: that is counted as lost.
 */
#ifndef MZ_RUNTIME_INPUTS_STDIN_H
#define MZ_RUNTIME_INPUTS_STDIN_H

#include "runtime/core/core.h"
#include <stdio.h>

/* Puts the file in place, if the configuration asks for it. Called before the first execution. */
void mz_stdin_start(void);
/* Fills the file with the bytes of this execution. Called before main. */
void mz_stdin_begin(struct mz_fiber *self);

/* Say that the program has read `size` bytes into memory, up to where the descriptor, or the stream, is now. */
void mz_stdin_read(int fd, const void *to, size_t size);
void mz_stdin_read_stream(FILE *stream, const void *to, size_t size);
/* Says that a function of the C library has read from a stream, and where the bytes went is not known. */
void mz_stdin_lose(FILE *stream, const char *function, uintptr_t caller);

#endif
