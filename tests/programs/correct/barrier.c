/* SPDX-License-Identifier: MIT
 *
 * Three threads meet twice at one barrier: what each wrote before, all may read behind. Arrivals commute, so there is
 * but one execution. Just one thread is told that it is the one.
 *
 * expect: optimal 1
 * expect: dfs 36
 */
#include <assert.h>
#include <pthread.h>

#define N 3

static pthread_barrier_t barrier;
static int values[N], sums[N], serial[N];

static void *run(void *arg)
{
	int me = *(int *)arg;
	values[me] = me + 1;
	serial[me] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	for (int i = 0; i < N; i++) sums[me] += values[i];
	serial[me] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
	values[me] = 0;
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	int numbers[N];
	assert(pthread_barrier_init(&barrier, NULL, N) == 0);
	for (int i = 0; i < N; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, run, &numbers[i]);
	}
	for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < N; i++) assert(sums[i] == 6);
	assert(serial[0] + serial[1] + serial[2] == 2);
	assert(pthread_barrier_destroy(&barrier) == 0);
	return 0;
}
