/* SPDX-License-Identifier: MIT
 *
 * Two threads that read want to write without giving back what they have: each waits for the other.
 *
 * expect: optimal 1
 * expect: dfs 2
 * finding: deadlock @upgrade
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

static void *run(void *arg)
{
	(void)arg;
	pthread_rwlock_rdlock(&lock);
	int seen = value;
	pthread_rwlock_wrlock(&lock); /* @upgrade */
	value = seen + 1;
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
