/* SPDX-License-Identifier: MIT
 *
 * A barrier for two is used by two pairs of threads, the second after the first, by a flag that orders nothing. Who
 * meets in the second round hears nothing of what the first pair did.
 *
 * expect: optimal 16
 * expect: dfs 228
 * findings: data-race @wrote|@read
 * unseen: data-race
 * counted: -O2
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t barrier;
atomic_int over;
int note, copy;

static void *first(void *unused)
{
	note = 7; /* @wrote */
	pthread_barrier_wait(&barrier);
	atomic_store_explicit(&over, 1, memory_order_relaxed);
	return unused;
}

static void *with_first(void *unused)
{
	pthread_barrier_wait(&barrier);
	return unused;
}

static void *second(void *unused)
{
	while (!atomic_load_explicit(&over, memory_order_relaxed)) {}
	pthread_barrier_wait(&barrier);
	copy = note; /* @read */
	return unused;
}

static void *with_second(void *unused)
{
	while (!atomic_load_explicit(&over, memory_order_relaxed)) {}
	pthread_barrier_wait(&barrier);
	return unused;
}

int main(void)
{
	void *(*const functions[])(void *) = {first, with_first, second, with_second};
	pthread_t threads[4];
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	return 0;
}
