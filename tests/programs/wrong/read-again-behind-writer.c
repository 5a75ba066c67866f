/* SPDX-License-Identifier: MIT
 *
 * A lock that prefers writers is not to be locked for reading twice: a writer may have come in between.
 *
 * expect: optimal 5
 * expect: dfs 5
 * finding: deadlock
 * flags: -D_GNU_SOURCE
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
int value, seen;

static void *reads(void *arg)
{
	(void)arg;
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_rdlock(&lock);
	seen = value;
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

static void *writes(void *arg)
{
	(void)arg;
	pthread_rwlock_wrlock(&lock);
	value = 1;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, reads, NULL);
	pthread_create(&threads[1], NULL, writes, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
