/* SPDX-License-Identifier: MIT
 *
 * A counter under a spin lock.
 *
 * expect: optimal 6
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *run(void *arg)
{
	(void)arg;
	pthread_spin_lock(&lock);
	counter++;
	pthread_spin_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, NULL);
	pthread_create(&threads[2], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(counter == 3);
	assert(pthread_spin_destroy(&lock) == 0);
	return 0;
}
