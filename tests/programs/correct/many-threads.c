/* SPDX-License-Identifier: MIT
 *
 * Forty threads that touch nothing in common: one trace.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 40

static atomic_int cells[N];

static void *run(void *arg)
{
	atomic_int *cell = arg;
	atomic_store(cell, atomic_load(cell) + 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, &cells[i]);
	for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < N; i++) assert(cells[i] == 1);
	return 0;
}
