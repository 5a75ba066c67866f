/* SPDX-License-Identifier: MIT
 *
 * A pair of 64-bit halves written as one 128-bit atomic: a reader never sees half of it.
 *
 * expect: optimal 2
 * expect: dfs 2
 * flags: -mcx16
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static unsigned __int128 pair;

static void *write_pair(void *arg)
{
	(void)arg;
	unsigned __int128 both = (unsigned __int128)7 << 64 | 7;
	__atomic_store_n(&pair, both, __ATOMIC_SEQ_CST);
	return NULL;
}

static void *read_pair(void *arg)
{
	(void)arg;
	unsigned __int128 both = __atomic_load_n(&pair, __ATOMIC_SEQ_CST);
	assert((uint64_t)both == (uint64_t)(both >> 64));
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, write_pair, NULL);
	pthread_create(&threads[1], NULL, read_pair, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
