/* SPDX-License-Identifier: MIT
 *
 * Whoever is late would be sent a signal, and cancelled if that does not help; but nobody is. A program that could do
 * so and does not has no more executions than one that cannot.
 *
 * expect: optimal 6
 * expect: dfs 22
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t done;
int late, order;

static void *work(void *which)
{
	pthread_mutex_lock(&mutex);
	order = order * 2 + (which != NULL);
	pthread_mutex_unlock(&mutex);
	sem_post(&done);
	return NULL;
}

static void watch(pthread_t worker)
{
	if (late > 0) pthread_kill(worker, SIGUSR1);
	if (late > 1) pthread_cancel(worker);
}

int main(void)
{
	pthread_t workers[2];
	sem_init(&done, 0, 0);
	for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, i ? &late : NULL);
	for (int i = 0; i < 2; i++) {
		sem_wait(&done);
		watch(workers[i]);
	}
	for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
	sem_destroy(&done);
	return 0;
}
