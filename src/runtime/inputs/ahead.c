/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/ahead.h"

#define MOVED (-1)

/* The stream that has read last, and where the descriptor was then. */
static struct {
	const FILE *stream; /* NULL: none has */
	off_t at;           /* MOVED: the program has moved the descriptor since */
	bool all;
} ahead;

void mz_ahead_read(const FILE *stream, off_t to, bool all)
{
	ahead.stream = stream;
	ahead.at = to;
	ahead.all = all;
}

void mz_ahead_moved(void)
{
	ahead.at = MOVED;
}

void mz_ahead_gives_back(const FILE *stream)
{
	if (ahead.stream == stream) ahead.stream = NULL;
}

enum mz_ahead mz_ahead_at(off_t position)
{
	if (!ahead.stream || position != ahead.at) return MZ_AHEAD_NOT;
	return ahead.all ? MZ_AHEAD_AT_END : MZ_AHEAD_SOMEWHERE;
}

enum mz_ahead mz_ahead_in(const FILE *stream, bool has_bytes, off_t position)
{
	if (!ahead.stream) return MZ_AHEAD_NOT;
	if (stream == ahead.stream) return position == ahead.at ? MZ_AHEAD_NOT : MZ_AHEAD_UNKNOWN;
	return has_bytes ? MZ_AHEAD_UNKNOWN : mz_ahead_at(position);
}

void mz_ahead_store(struct mz_state *state)
{
	mz_state_put(state, &ahead, sizeof ahead);
}

void mz_ahead_load(struct mz_state *state)
{
	mz_state_get(state, &ahead, sizeof ahead);
}

void mz_ahead_reset(void)
{
	ahead.stream = NULL;
}
