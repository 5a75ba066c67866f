/* SPDX-License-Identifier: MIT
 *
 * A thread leaves without unlocking on one of its ways; the next waits for ever.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: deadlock
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void *run(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	if (rounds++ == 0) return NULL;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
