/* SPDX-License-Identifier: MIT
 *
 * Who finds a cache empty with the read lock looks again when it has the write lock.
 *
 * expect: optimal 4
 * expect: dfs 14
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int *cached;

static void *get(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	int empty = !cached;
	pthread_rwlock_unlock(&lock);
	if (!empty) return unused;
	pthread_rwlock_wrlock(&lock);
	if (!cached) cached = malloc(sizeof *cached);
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, get, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	free(cached);
	return 0;
}
