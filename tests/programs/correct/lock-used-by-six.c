/* SPDX-License-Identifier: MIT
 *
 * Each of six threads knows what all those before it did under the lock.
 *
 * expect: optimal 720
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *add(void *arg)
{
	pthread_mutex_lock(&mutex);
	sum++;
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t threads[6];
	for (int i = 0; i < 6; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
	return sum != 6;
}
