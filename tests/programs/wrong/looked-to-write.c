/* SPDX-License-Identifier: MIT
 *
 * Who finds a cache empty with the read lock fills it with the write lock: between the two somebody else may have.
 *
 * expect: optimal 4
 * expect: dfs 14
 * finding: assertion @here
 * builds: gcc-O2 clang-O0
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
	assert(!cached); /* @here */
	cached = malloc(sizeof *cached);
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
