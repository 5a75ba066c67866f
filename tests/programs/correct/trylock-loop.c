/* SPDX-License-Identifier: MIT
 *
 * Three threads try a mutex until they get it, and yield in between: a yield touches nothing.
 *
 * expect: optimal 48
 * expect: dfs 522
 * counted: gcc-O2
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void *run(void *unused)
{
	while (pthread_mutex_trylock(&mutex) != 0) sched_yield();
	counter++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(counter == 3);
	return 0;
}
