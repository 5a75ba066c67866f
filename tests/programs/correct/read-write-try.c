/* SPDX-License-Identifier: MIT
 *
 * Attempts to get a read-write lock: who reads keeps out who would write, and the other way round.
 *
 * expect: optimal 14
 * expect: dfs 36
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reads(void *arg)
{
	(void)arg;
	int status = pthread_rwlock_tryrdlock(&lock);
	if (status) {
		assert(status == EBUSY);
		return NULL;
	}
	assert(value == 0 || value == 1);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

static void *writes(void *arg)
{
	(void)arg;
	int status = pthread_rwlock_trywrlock(&lock);
	if (status) {
		assert(status == EBUSY);
		return NULL;
	}
	value = 1;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, writes, NULL);
	pthread_create(&threads[1], NULL, reads, NULL);
	pthread_create(&threads[2], NULL, reads, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
