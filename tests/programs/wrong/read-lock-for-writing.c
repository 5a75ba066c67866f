/* SPDX-License-Identifier: MIT
 *
 * Who only has the lock to read must not write: others may read, and write.
 *
 * expect: optimal 1
 * expect: dfs 6
 * finding: data-race @write
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

static void *run(void *arg)
{
	(void)arg;
	pthread_rwlock_rdlock(&lock);
	value = 1; /* @write */
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
