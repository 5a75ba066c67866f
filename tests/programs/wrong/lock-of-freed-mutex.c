/* SPDX-License-Identifier: MIT
 *
 * An account is dropped while another thread is on its way to it.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: use-after-free @here|@again
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&order);
	pthread_mutex_lock(mutex);   /* @here */
	pthread_mutex_unlock(mutex); /* @again */
	pthread_mutex_unlock(&order);
	return NULL;
}

static void *drop(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&order);
	pthread_mutex_destroy(mutex);
	free(mutex);
	pthread_mutex_unlock(&order);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	mutex = malloc(sizeof *mutex);
	pthread_mutex_init(mutex, NULL);
	pthread_create(&threads[0], NULL, use, NULL);
	pthread_create(&threads[1], NULL, drop, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
