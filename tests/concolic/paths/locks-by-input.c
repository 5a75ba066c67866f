/* SPDX-License-Identifier: MIT
 *
 * Which of two mutexes the main thread locks first depends on an input. In the order of the other thread: two traces; in the
 * other order: two, and a deadlock.
 *
 * expect: optimal 5
 * finding: deadlock
 */
#include <mazurka.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *lock_both(void *unused)
{
	pthread_mutex_lock(&mutexes[0]);
	pthread_mutex_lock(&mutexes[1]);
	pthread_mutex_unlock(&mutexes[1]);
	pthread_mutex_unlock(&mutexes[0]);
	return unused;
}

int main(void)
{
	unsigned char x;
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	pthread_create(&thread, NULL, lock_both, NULL);
	int first = x > 200;
	pthread_mutex_lock(&mutexes[first]);
	pthread_mutex_lock(&mutexes[!first]);
	pthread_mutex_unlock(&mutexes[0]);
	pthread_mutex_unlock(&mutexes[1]);
	pthread_join(thread, NULL);
	return 0;
}
