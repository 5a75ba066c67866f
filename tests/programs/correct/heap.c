/* SPDX-License-Identifier: MIT
 *
 * Every way to get memory, and to give it back, in two threads at a time.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_int meeting;
size_t huge = SIZE_MAX / 2; /* not static: the compiler does not know that nobody changes it */
_Thread_local void *kept;

static void *plain(void)
{
	char *block = malloc(100);
	assert(block && (uintptr_t)block % 16 == 0);
	memset(block, 1, 100);
	assert(malloc_usable_size(block) >= 100);
	return block;
}

static void zeroed(void)
{
	int *block = calloc(50, sizeof *block);
	assert(block);
	for (int i = 0; i < 50; i++) assert(block[i] == 0);
	free(block);
	kept = calloc(huge, 4);
	assert(!kept);
}

static void *grown(char *block)
{
	block = realloc(block, 1000);
	assert(block && block[0] == 1 && block[99] == 1);
	block = realloc(block, 10);
	assert(block && block[9] == 1);
	block = reallocarray(block, 20, 30);
	assert(block && block[9] == 1);
	kept = reallocarray(block, huge, 4);
	assert(!kept);
	return block;
}

static void aligned(void)
{
	void *block = NULL;
	assert(posix_memalign(&block, 256, 10) == 0 && (uintptr_t)block % 256 == 0);
	free(block);
	block = aligned_alloc(4096, 8192);
	assert(block && (uintptr_t)block % 4096 == 0);
	free(block);
	block = memalign(64, 1);
	assert(block && (uintptr_t)block % 64 == 0);
	free(block);
}

static void *run(void *arg)
{
	(void)arg;
	char *block = plain();
	zeroed();
	atomic_fetch_add(&meeting, 1);
	block = grown(block);
	aligned();
	free(block);
	free(NULL);
	free(malloc(0));
	free(realloc(NULL, 5));
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
