/* SPDX-License-Identifier: MIT
 *
 * Results of functions go to variables that all threads use, but one after the other: under a mutex, or after a join.
 * A new thread may read its own number where its creator has it written.
 *
 * expect: optimal 2
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static pthread_t threads[2];
static pthread_key_t key;
struct timespec now;
int value, state;
void *result;

static void *work(void *arg)
{
	int number = *(int *)arg;
	assert(pthread_equal(threads[number], pthread_self()));
	pthread_mutex_lock(&mutex);
	sem_getvalue(&semaphore, &value);
	clock_gettime(CLOCK_MONOTONIC, &now);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	assert(value == 1 && now.tv_sec > 0 && state == PTHREAD_CANCEL_ENABLE);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	static int numbers[2] = {0, 1};
	sem_init(&semaphore, 0, 1);
	pthread_key_create(&key, NULL);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		assert(result == &numbers[i]);
	}
	pthread_key_delete(key);
	return value != 1;
}
