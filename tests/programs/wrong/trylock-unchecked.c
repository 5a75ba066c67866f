/* SPDX-License-Identifier: MIT
 *
 * A thread goes on without the mutex it did not get, and unlocks it.
 *
 * expect: optimal 3
 * expect: dfs 3
 * findings: data-race @locked|@tried
 * finding: misuse @unlock
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

static void *locks(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	value = 1; /* @locked */
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *tries(void *arg)
{
	(void)arg;
	pthread_mutex_trylock(&mutex);
	value = 2;                    /* @tried */
	pthread_mutex_unlock(&mutex); /* @unlock */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, locks, NULL);
	pthread_create(&threads[1], NULL, tries, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
