/* SPDX-License-Identifier: MIT
 *
 * A thread comes to a lock that is held, inside of an atomic section: nobody could ever give the lock back meanwhile.
 *
 * finding: misuse @wait
 * expect: optimal 3
 */
#include <mazurka.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *hold(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *wait_inside(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	pthread_mutex_lock(&lock); /* @wait */
	x++;
	pthread_mutex_unlock(&lock);
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, hold, NULL);
	pthread_create(&threads[1], NULL, wait_inside, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
