/* SPDX-License-Identifier: MIT
 *
 * Two assertions fail in different executions: both are found, each once.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion @before
 * finding: assertion @after
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int value;

static void *writer(void *arg)
{
	(void)arg;
	atomic_store(&value, 1);
	return NULL;
}

static void *reader(void *arg)
{
	(void)arg;
	bool set = atomic_load(&value) == 1;
	if (set)
		assert(!set); /* @after */
	else
		assert(set); /* @before */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
