/* SPDX-License-Identifier: MIT
 *
 * Who finds room takes it, in one critical section.
 *
 * expect: optimal 2
 * expect: dfs 2
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int guests, room = 1;

static void *run(void *unused)
{
	pthread_mutex_lock(&mutex);
	int fits = guests < room;
	if (fits) guests++;
	assert(guests <= room);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
