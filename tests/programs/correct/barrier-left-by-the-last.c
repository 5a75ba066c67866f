/* SPDX-License-Identifier: MIT
 *
 * Three threads meet at a barrier, and two of them use a word before and behind it. Arrivals commute; but whoever comes
 * last goes on at once, and so can be the first behind the barrier without a preemption. Two accesses on each side can
 * have either order: four traces, all of them within no preemption.
 *
 * expect: optimal 4
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
atomic_int word;

static void *writer(void *arg)
{
	word = 1;
	pthread_barrier_wait(&barrier);
	return arg;
}

static void *late_writer(void *arg)
{
	pthread_barrier_wait(&barrier);
	word = 2;
	return arg;
}

static void *reader(void *arg)
{
	(void)atomic_load(&word);
	pthread_barrier_wait(&barrier);
	(void)atomic_load(&word);
	return arg;
}

int main(void)
{
	static void *(*const runs[])(void *) = {writer, late_writer, reader};
	pthread_t threads[3];
	pthread_barrier_init(&barrier, NULL, 3);
	for (int n = 0; n < 3; n++) pthread_create(&threads[n], NULL, runs[n], NULL);
	for (int n = 0; n < 3; n++) pthread_join(threads[n], NULL);
	return 0;
}
