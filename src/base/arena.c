/* SPDX-License-Identifier: MIT
 *
 * Chunks are linked in the order in which they were first needed. Those after `current` are free; one that is too
 * small for a request is skipped until the arena is rewound to before it.
 */
#include "base/arena.h"
#include "base/alloc.h"
#include <stdint.h>

#define CHUNK_SIZE ((size_t)64 * 1024)

struct mz_arena_chunk {
	struct mz_arena_chunk *next;
	size_t size;
	_Alignas(16) char memory[];
};

static struct mz_arena_chunk *chunk_new(struct mz_arena_source *source, size_t size)
{
	if (size < CHUNK_SIZE) size = CHUNK_SIZE;
	if (size > SIZE_MAX - sizeof(struct mz_arena_chunk)) return NULL;
	size_t whole = sizeof(struct mz_arena_chunk) + size;
	struct mz_arena_chunk *chunk = source ? source->take(source, whole) : mz_alloc(whole);
	if (!chunk) return NULL;
	chunk->next = NULL;
	chunk->size = size;
	return chunk;
}

/* Makes the next chunk with room for `size` bytes the current one. Returns NULL when there is no memory. */
static struct mz_arena_chunk *advance(struct mz_arena *arena, size_t size)
{
	struct mz_arena_chunk **link = arena->current ? &arena->current->next : &arena->first;
	while (*link && (*link)->size < size) link = &(*link)->next;
	if (!*link) *link = chunk_new(arena->source, size);
	if (!*link) return NULL;
	arena->current = *link;
	arena->used = 0;
	return arena->current;
}

void *mz_arena_take(struct mz_arena *arena, size_t size)
{
	size = (size + 15) & ~(size_t)15;
	struct mz_arena_chunk *chunk = arena->current;
	if (!chunk || chunk->size - arena->used < size) {
		chunk = advance(arena, size);
		if (!chunk) return NULL;
	}
	void *block = chunk->memory + arena->used;
	arena->used += size;
	return block;
}

void mz_arena_release(struct mz_arena *arena)
{
	for (struct mz_arena_chunk *chunk = arena->first; chunk;) {
		struct mz_arena_chunk *next = chunk->next;
		if (!arena->source) mz_free(chunk);
		chunk = next;
	}
	*arena = (struct mz_arena){0};
}
