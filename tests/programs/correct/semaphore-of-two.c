/* SPDX-License-Identifier: MIT
 *
 * At most two of three threads are inside, and one that does not get in does not wait.
 *
 * expect: optimal 294
 * expect: dfs 3354
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t seats;
static atomic_int inside;

static void *run(void *arg)
{
	(void)arg;
	if (sem_trywait(&seats) != 0) {
		assert(errno == EAGAIN);
		return NULL;
	}
	assert(atomic_fetch_add(&inside, 1) < 2);
	atomic_fetch_sub(&inside, 1);
	sem_post(&seats);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&seats, 0, 2);
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, NULL);
	pthread_create(&threads[2], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	int value;
	sem_getvalue(&seats, &value);
	assert(value == 2);
	return 0;
}
