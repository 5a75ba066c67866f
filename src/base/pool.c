/* SPDX-License-Identifier: MIT
 *
 * Size classes: multiples of 32 bytes up to 1 KiB, then powers of two. A free block holds the address of the next.
 */
#include "base/pool.h"
#include <string.h>

#define STEP 32
/* number of classes whose sizes are multiples of STEP; each class above has twice the size of the one below */
#define FINE 32

/* Returns the class of a size, and rounds the size up to that of the blocks of the class. */
static unsigned size_class(size_t *size)
{
	unsigned class = *size ? (unsigned)((*size - 1) / STEP) : 0;
	if (*size <= (size_t)STEP * FINE) {
		*size = ((size_t) class + 1) * STEP;
		return class;
	}
	class = FINE;
	size_t rounded = (size_t)2 * STEP * FINE;
	while (rounded < *size && class < MZ_POOL_CLASSES - 1) {
		rounded *= 2;
		class ++;
	}
	if (rounded > *size) *size = rounded;
	return class;
}

void *mz_pool_take(struct mz_pool *pool, size_t size)
{
	unsigned class = size_class(&size);
	void *block = pool->free[class];
	if (!block) return mz_arena_take(&pool->arena, size);
	memcpy(&pool->free[class], block, sizeof(void *));
	return block;
}

void mz_pool_give(struct mz_pool *pool, void *block, size_t size)
{
	unsigned class = size_class(&size);
	memcpy(block, &pool->free[class], sizeof(void *));
	pool->free[class] = block;
}

void mz_pool_release(struct mz_pool *pool)
{
	mz_arena_release(&pool->arena);
	*pool = (struct mz_pool){0};
}
