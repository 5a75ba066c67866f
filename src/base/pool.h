/* SPDX-License-Identifier: MIT
 *
 * Small blocks that come and go in any order: a free list for each size. Memory is kept until the pool is released.
 */
#ifndef MZ_BASE_POOL_H
#define MZ_BASE_POOL_H

#include "base/arena.h"

#define MZ_POOL_CLASSES 64

struct mz_pool {
	struct mz_arena arena;
	void *free[MZ_POOL_CLASSES]; /* first free block of each size class */
};

/* Frees all memory of the pool. A pool that is all zero is empty and ready for use. */
void mz_pool_release(struct mz_pool *pool);

/* Returns a block of `size` bytes, or NULL when there is no memory. */
void *mz_pool_take(struct mz_pool *pool, size_t size);

/* Gives a block back. `size` must be what it was when the block was taken. */
void mz_pool_give(struct mz_pool *pool, void *block, size_t size);

#endif
