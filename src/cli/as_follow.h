/* SPDX-License-Identifier: MIT
 *
 * Makes the assembly in a source file visible to the runtime: see base/assembly.h.
 */
#ifndef MZ_CLI_AS_FOLLOW_H
#define MZ_CLI_AS_FOLLOW_H

#include "report/buffer.h"

/* Adds `text`, a source for the assembler, to `out`, with calls before the instructions that touch memory and notes for
 * those that cannot be followed. Only what compilers put between #APP and #NO_APP is followed; if `by_hand`, everything
 * is. Returns whether calls or notes were added. */
bool mz_as_follow(struct mz_buffer *out, const char *text, size_t length, bool by_hand);

#endif
