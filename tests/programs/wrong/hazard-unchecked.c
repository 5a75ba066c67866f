/* SPDX-License-Identifier: MIT
 *
 * A reader announces which object it is about to use, but does not look again: it may have been taken away, and freed,
 * before the announcement.
 *
 * expect: optimal 6
 * expect: dfs 10
 * findings: data-race @free|@use
 * findings: use-after-free @use
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current, hazard;
int seen;

static void *reader(void *unused)
{
	int *object = atomic_load(&current);
	atomic_store(&hazard, object);
	if (object) seen = *object; /* @use */
	atomic_store(&hazard, NULL);
	return unused;
}

static void *remover(void *unused)
{
	int *object = atomic_exchange(&current, NULL);
	if (atomic_load(&hazard) != object) free(object); /* @free */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	atomic_store(&current, calloc(1, sizeof(int)));
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, remover, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
