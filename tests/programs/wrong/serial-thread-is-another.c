/* SPDX-License-Identifier: MIT
 *
 * Threads meet; the one that is told so sums up what they have found and leaves it in a place of its own, where the
 * first one looks for it: it takes itself for the serial thread, which any can be.
 *
 * expect: optimal 9
 * expect: dfs 324
 * options: --fail pthread_barrier_wait:serial
 * finding: assertion @sum
 */
#include <assert.h>
#include <pthread.h>

#define N 3

pthread_barrier_t barrier;
int found[N], sums[N];

static void *run(void *arg)
{
	int me = *(int *)arg;
	found[me] = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		for (int i = 0; i < N; i++) sums[me] += found[i];
	pthread_barrier_wait(&barrier);
	if (me == 0) assert(sums[0] == N); /* @sum */
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
	return 0;
}
