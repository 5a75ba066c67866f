/* SPDX-License-Identifier: MIT
 *
 * Double-checked locking without the second check: both threads may find nothing, and make the thing one after the
 * other.
 *
 * expect: optimal 4
 * expect: dfs 10
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int made;

static void *run(void *unused)
{
	if (atomic_load(&made)) return unused;
	pthread_mutex_lock(&mutex);
	assert(atomic_fetch_add(&made, 1) == 0); /* @here */
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
