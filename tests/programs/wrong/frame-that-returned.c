/* SPDX-License-Identifier: MIT
 *
 * A function lends a lock that is on its stack and returns; its thread is still there.
 *
 * expect: optimal 2
 * finding: use-after-free @lock
 * finding: use-after-free @unlock
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(pthread_mutex_t *) lent;
sem_t used;

static __attribute__((noinline)) void lend(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	atomic_store(&lent, &mutex);
}

static void *work(void *arg)
{
	lend();
	sem_wait(&used);
	return arg;
}

static void *use(void *arg)
{
	pthread_mutex_t *mutex = atomic_load(&lent);
	if (mutex) {
		pthread_mutex_lock(mutex);   /* @lock */
		pthread_mutex_unlock(mutex); /* @unlock */
	}
	sem_post(&used);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&used, 0, 0);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
