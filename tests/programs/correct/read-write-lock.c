/* SPDX-License-Identifier: MIT
 *
 * Readers see both halves of what a writer changed, or neither. They commute with each other.
 *
 * expect: optimal 4
 * expect: dfs 14
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *reads(void *arg)
{
	(void)arg;
	pthread_rwlock_rdlock(&lock);
	assert(left == right);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

static void *writes(void *arg)
{
	(void)arg;
	pthread_rwlock_wrlock(&lock);
	left++;
	right++;
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
