/* SPDX-License-Identifier: MIT
 *
 * Code from before there were atomics: volatile accesses, and fences between them and what they publish. To the
 * language that is a data race; --volatile atomic takes it for what it is meant to be.
 *
 * options: --volatile atomic
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>

volatile int ready;
int value;

static void *publish(void *unused)
{
	value = 42;
	__sync_synchronize();
	ready = 1;
	return unused;
}

static void *look(void *unused)
{
	if (!ready) return unused;
	__sync_synchronize();
	assert(value == 42);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, publish, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
