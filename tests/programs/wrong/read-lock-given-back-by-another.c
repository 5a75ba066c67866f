/* SPDX-License-Identifier: MIT
 *
 * Two threads read, and one of them gives its lock back twice: what it gives back the second time is the other one's,
 * if that is still reading.
 *
 * expect: optimal 1
 * expect: dfs 6
 * finding: misuse @again
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *once(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *twice(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock); /* @again */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, once, NULL);
	pthread_create(&threads[1], NULL, twice, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
