/* SPDX-License-Identifier: MIT
 *
 * Threads meet; the one that is told so, whichever it is, sums up what they have found.
 *
 * expect: optimal 9
 * expect: dfs 324
 * options: --fail pthread_barrier_wait:serial
 */
#include <assert.h>
#include <pthread.h>

#define N 3

pthread_barrier_t barrier;
int found[N], sum, serial[N];

static void *run(void *arg)
{
	int me = *(int *)arg;
	found[me] = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		for (int i = 0; i < N; i++) sum += found[i];
	serial[me] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	assert(sum == N);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	int numbers[N];
	pthread_barrier_init(&barrier, NULL, N);
	for (int i = 0; i < N; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, run, &numbers[i]);
	}
	for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
	assert(serial[0] + serial[1] + serial[2] == 1);
	return 0;
}
