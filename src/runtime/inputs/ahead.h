/* SPDX-License-Identifier: MIT
 *
 * How far a stream has read ahead in standard input, where that is an input. A stream reads as much as its buffer takes,
 * so the position of the descriptor, where others go on to read, depends on how many bytes there are.
 */
#ifndef MZ_RUNTIME_INPUTS_AHEAD_H
#define MZ_RUNTIME_INPUTS_AHEAD_H

#include "runtime/core/core.h"
#include <stdio.h>
#include <sys/types.h>

/* What decides where a read begins. */
enum mz_ahead {
	MZ_AHEAD_NOT,       /* what was read before: nothing else */
	MZ_AHEAD_AT_END,    /* a stream has read everything, however much that is */
	MZ_AHEAD_SOMEWHERE, /* a stream has read ahead: the position depends on how many bytes there are */
	MZ_AHEAD_UNKNOWN, /* the descriptor was moved while a stream had bytes of its own: where its bytes are from is not known */
};

/* Says that a stream has read on, to the position `to`; `all`: to the end, however many bytes there are. */
void mz_ahead_read(const FILE *stream, off_t to, bool all);
/* Says that the program has moved the descriptor. */
void mz_ahead_moved(void);
/* Says that a stream is moved, once it is decided how many bytes there are. */
void mz_ahead_gives_back(const FILE *stream);
/* Returns what decides where a descriptor reads that is at this position. */
enum mz_ahead mz_ahead_at(off_t position);
/* The same for a stream, which has bytes left in its buffer or not. */
enum mz_ahead mz_ahead_in(const FILE *stream, bool has_bytes, off_t position);

/* Store what is known in a state, load it, and forget it for the next execution. */
void mz_ahead_store(struct mz_state *state);
void mz_ahead_load(struct mz_state *state);
void mz_ahead_reset(void);

#endif
