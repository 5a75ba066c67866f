/* SPDX-License-Identifier: MIT
 *
 * A thread spins on a flag while it holds the mutex that the other needs to set it. One is blocked, so it is a
 * deadlock.
 *
 * finding: deadlock
 * expect: optimal 2
 * counted: -O2
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int flag;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!atomic_load(&flag)) {}
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *setter(void *unused)
{
	pthread_mutex_lock(&mutex);
	atomic_store(&flag, 1);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, waiter, NULL);
	pthread_create(&threads[1], NULL, setter, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
