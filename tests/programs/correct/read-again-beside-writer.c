/* SPDX-License-Identifier: MIT
 *
 * By default a lock may be locked for reading twice, whatever writers want.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

static void *reads(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	int seen = value;
	pthread_rwlock_rdlock(&lock);
	assert(seen == value);
	pthread_rwlock_unlock(&lock);
	assert(seen == value);
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *writes(void *unused)
{
	pthread_rwlock_wrlock(&lock);
	value = 1;
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, reads, NULL);
	pthread_create(&threads[1], NULL, writes, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
