/* SPDX-License-Identifier: MIT
 *
 * A lock that prefers writers: from when one has announced itself, nobody gets in to read before it is done.
 *
 * expect: optimal 9
 * expect: dfs 26
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
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
