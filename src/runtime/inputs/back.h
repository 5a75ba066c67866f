/* SPDX-License-Identifier: MIT
 *
 * Bytes that were put back into standard input (ungetc), where that is an input. What a stream reads next is such a
 * byte, which need not be the one in the file.
 */
#ifndef MZ_RUNTIME_INPUTS_BACK_H
#define MZ_RUNTIME_INPUTS_BACK_H

#include "runtime/core/core.h"
#include <sys/types.h>

/* Says that a byte is put back at a position of the file. Which one depends on no input. */
void mz_back_put(off_t at);
/* Says that the last byte that was put back has the shadow of the one at this address. */
void mz_back_set(uintptr_t byte);
/* Gives the bytes that were put back, and are read now, their own shadows, and takes them away: `read` bytes from the
 * position `start` on went to memory at `to`. A stream that was set to another position in between does not have them
 * any more. Returns how many of the bytes these were. */
size_t mz_back_take(uintptr_t to, size_t read, off_t start);

/* Returns how many bytes have been put back and not read again, at most. */
uint32_t mz_back_count(void);

/* Store the bytes in a state, load them, and forget them for the next execution. */
void mz_back_store(struct mz_state *state);
void mz_back_load(struct mz_state *state);
void mz_back_reset(void);

#endif
