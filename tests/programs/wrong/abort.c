/* SPDX-License-Identifier: MIT
 *
 * A thread aborts when it does not like what it sees.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: assertion
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

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
	if (atomic_load(&value) == 0) abort();
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
