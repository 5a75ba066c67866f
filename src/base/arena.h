/* SPDX-License-Identifier: MIT
 *
 * Memory that grows and shrinks like a stack: blocks are taken from the top and given back all at once by going back
 * to a mark. Blocks never move. Going back keeps the memory for the next time.
 */
#ifndef MZ_BASE_ARENA_H
#define MZ_BASE_ARENA_H

#include <stddef.h>

struct mz_arena_chunk;

/* Where an arena gets its memory if not from mz_alloc(). It is never given back. */
struct mz_arena_source {
	void *(*take)(struct mz_arena_source *source, size_t size); /* returns NULL when there is no memory */
};

struct mz_arena {
	struct mz_arena_chunk *first;
	struct mz_arena_chunk *current;
	size_t used;                    /* how many bytes of the current chunk are used */
	struct mz_arena_source *source; /* NULL: mz_alloc() */
};

struct mz_arena_mark {
	struct mz_arena_chunk *chunk;
	size_t used;
};

/* Frees all memory of the arena and leaves it all zero. An arena that is all zero is empty and ready for use. */
void mz_arena_release(struct mz_arena *arena);

/* Returns a block aligned to 16 bytes, or NULL when there is no memory. */
void *mz_arena_take(struct mz_arena *arena, size_t size);

static inline struct mz_arena_mark mz_arena_mark(const struct mz_arena *arena)
{
	return (struct mz_arena_mark){arena->current, arena->used};
}

/* Gives back everything taken since the mark was made. Of several marks, the one made last has to be used first. */
static inline void mz_arena_rewind(struct mz_arena *arena, struct mz_arena_mark mark)
{
	arena->current = mark.chunk;
	arena->used = mark.used;
}

#endif
