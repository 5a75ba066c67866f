/* SPDX-License-Identifier: MIT
 *
 * A lock that prefers writers lets nobody in to read while one waits, be it only for a while: a reader that only tries
 * may be refused although nobody writes.
 *
 * expect: optimal 15
 * expect: dfs 17
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
int value;

static void *reads(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	int again = pthread_rwlock_tryrdlock(&lock);
	assert(again == 0 || again == EBUSY);
	if (again == 0) pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *writes(void *unused)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_rwlock_timedwrlock(&lock, &until) == 0) {
		value = 1;
		pthread_rwlock_unlock(&lock);
	}
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
