/* SPDX-License-Identifier: MIT
 *
 * Zstandard: the pool of threads that compresses. (Compression itself has half a megabyte of plain accesses at least.)
 *
 * builds: gcc-O1
 *
 * variant: pool
 * arguments: pool
 * expect: optimal 192
 *
 * variant: resized pool
 * arguments: resize
 * expect: optimal 172
 */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "common/pool.h"

static atomic_int sum;
static int numbers[] = {1, 10};

static void add(void *number)
{
	atomic_fetch_add(&sum, *(int *)number);
}

/* More jobs than there is room for: all are done when the pool says so. */
static void test_pool(void)
{
	POOL_ctx *pool = POOL_create(1, 1);
	assert(pool);
	for (int i = 0; i < 2; i++) POOL_add(pool, add, &numbers[i]);
	POOL_joinJobs(pool);
	assert(atomic_load(&sum) == 11);
	POOL_free(pool);
}

/* A second thread joins while there is work; what is queued when the pool is freed is done as well. */
static void test_resize(void)
{
	POOL_ctx *pool = POOL_create(1, 1);
	assert(pool);
	assert(POOL_tryAdd(pool, add, &numbers[0]) == 1);
	assert(POOL_resize(pool, 2) == 0);
	POOL_free(pool);
	assert(atomic_load(&sum) == 1);
}

int main(int argc, char **argv)
{
	assert(argc == 2);
	if (strcmp(argv[1], "pool") == 0) test_pool();
	if (strcmp(argv[1], "resize") == 0) test_resize();
	return 0;
}
