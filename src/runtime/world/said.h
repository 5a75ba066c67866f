/* SPDX-License-Identifier: MIT
 *
 * What a thread of the program wrote to standard error just before it gave up: the words that a person is shown, and
 * that tell two bugs apart which end in one call of abort().
 */
#ifndef MZ_RUNTIME_WORLD_SAID_H
#define MZ_RUNTIME_WORLD_SAID_H

#include "runtime/core/core.h"
#include <stdarg.h>
#include <stdio.h>

/* Note what the running thread writes to a stream, or to a descriptor; only standard error counts. */
void mz_said(FILE *stream, const void *text, size_t size);
void mz_said_format(FILE *stream, const char *format, va_list arguments);
void mz_said_to(int descriptor, const void *text, size_t size);
void mz_said_format_to(int descriptor, const char *format, va_list arguments);

/* Returns what the thread wrote since its last visible operation, as one line; "" if it wrote nothing. A branch on inputs
 * is no such operation: replays do not make it. */
const char *mz_said_last(const struct mz_fiber *self);

/* Keep what the thread wrote so far during a branch on inputs. */
struct mz_said {
	size_t length;
	char text[184];
};
struct mz_said mz_said_keep(const struct mz_fiber *self);
void mz_said_again(const struct mz_said *kept, const struct mz_fiber *self);

/* Returns a hash of a text that leaves out its numbers: the same complaint about another value is the same bug. */
uint64_t mz_said_hash(const char *text);

/* Returns the type of the C++ exception that the running thread has not caught, or handles; NULL if there is none. See
 * hooks/cxx.c. */
const char *mz_cxx_exception(char *buffer, size_t size);

#endif
