/* SPDX-License-Identifier: MIT
 *
 * Room is looked for in one critical section and taken in the next: no data race, but two may have found the same
 * room.
 *
 * expect: optimal 6
 * expect: dfs 6
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int guests, room = 1;

static void *run(void *unused)
{
	pthread_mutex_lock(&mutex);
	int fits = guests < room;
	pthread_mutex_unlock(&mutex);
	if (!fits) return unused;
	pthread_mutex_lock(&mutex);
	guests++;
	assert(guests <= room); /* @here */
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
