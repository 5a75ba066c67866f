/* SPDX-License-Identifier: MIT
 *
 * A reader announces which object it is about to use, and looks again whether it is still the one: if so, whoever
 * takes it away sees the announcement and does not free it.
 *
 * expect: optimal 9
 * expect: dfs 19
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current, hazard;
int seen;

static void *reader(void *unused)
{
	int *object = atomic_load(&current);
	for (;;) {
		atomic_store(&hazard, object);
		int *again = atomic_load(&current);
		if (again == object) break;
		object = again;
	}
	if (object) seen = *object;
	atomic_store(&hazard, NULL);
	return unused;
}

static void *remover(void *unused)
{
	int *object = atomic_exchange(&current, NULL);
	if (atomic_load(&hazard) != object) free(object);
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
