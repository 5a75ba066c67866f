/* SPDX-License-Identifier: MIT
 *
 * The race happens only if the reader looks before the flag is set: one of two traces.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: data-race @write|@early
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
int value;

static void *writer(void *arg)
{
	(void)arg;
	atomic_store(&ready, 1);
	return NULL;
}

static void *reader(void *arg)
{
	(void)arg;
	if (!atomic_load(&ready)) value = 1; /* @early */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	value = 2; /* @write */
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
