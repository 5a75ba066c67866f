/* SPDX-License-Identifier: MIT
 *
 * Large blocks of which little is used: fresh memory is zero in every execution, wherever it is looked at.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SIZE (1UL << 20)

atomic_int sum;
char *before; /* allocated before main, by the constructor */

__attribute__((constructor)) static void prepare(void)
{
	before = calloc(1, SIZE / 2);
	before[123456] = 7;
}

/* Allocated and freed by each thread; in between it may be the other's turn. */
static void *work(void *argument)
{
	size_t size = *(size_t *)argument;
	char *block = calloc(1, size), *small = calloc(3, 5);
	assert(block && small && block[size - 1] == 0 && small[14] == 0);
	for (size_t at = 0; at < size; at += size / 7) {
		assert(block[at] == 0);
		block[at] = 1;
	}
	memset(block + size - 50, 3, 50);
	atomic_fetch_add(&sum, block[size - 1]);
	free(block);
	free(small);
	return NULL;
}

int main(void)
{
	static size_t sizes[2] = {300000, 270001};
	pthread_t threads[2];
	char *shared = calloc(1, SIZE);
	assert(shared && shared[SIZE / 2] == 0);
	assert(before[0] == 0 && before[123456] == 7 && before[SIZE / 2 - 1] == 0);
	shared[SIZE / 2] = 1;
	before[123456]++;
	before[SIZE / 2 - 1]++;
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &sizes[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(shared[SIZE / 2 + 1] == 0 && shared[SIZE - 1] == 0);
	free(shared);
	free(before);
	return sum == 6 ? 0 : 1;
}
