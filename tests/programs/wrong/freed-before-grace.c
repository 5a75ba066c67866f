/* SPDX-License-Identifier: MIT
 *
 * A new version is published and the old one freed, though a reader may be looking at it.
 *
 * expect: optimal 2
 * expect: dfs 4
 * findings: data-race @free|@use
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current;
atomic_int reading;
int seen;

static void *reader(void *unused)
{
	atomic_store(&reading, 1);
	int *version = atomic_load(&current);
	seen = *version; /* @use */
	atomic_store(&reading, 0);
	return unused;
}

static void *updater(void *fresh)
{
	int *old = atomic_exchange(&current, fresh);
	free(old); /* @free */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	atomic_store(&current, calloc(1, sizeof(int)));
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, updater, calloc(1, sizeof(int)));
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
