/* SPDX-License-Identifier: MIT
 *
 * What a read-write lock refuses: to a writer that it has already, to all while there is a writer, and times that are
 * none.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
	struct timespec soon, never = {0, 1000000000};
	clock_gettime(CLOCK_REALTIME, &soon);
	assert(pthread_rwlock_timedrdlock(&lock, &never) == EINVAL);
	assert(pthread_rwlock_timedwrlock(&lock, &never) == EINVAL);
	assert(pthread_rwlock_wrlock(&lock) == 0);
	assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
	assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
	assert(pthread_rwlock_timedwrlock(&lock, &soon) == EDEADLK);
	assert(pthread_rwlock_timedrdlock(&lock, &soon) == EDEADLK);
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
	assert(pthread_rwlock_unlock(&lock) == 0);
	assert(pthread_rwlock_rdlock(&lock) == 0);
	assert(pthread_rwlock_tryrdlock(&lock) == 0);
	assert(pthread_rwlock_timedrdlock(&lock, &soon) == 0);
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	assert(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
	for (int i = 0; i < 3; i++) assert(pthread_rwlock_unlock(&lock) == 0);
	return 0;
}
