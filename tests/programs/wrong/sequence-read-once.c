/* SPDX-License-Identifier: MIT
 *
 * A reader of a sequence lock that does not look at the counter again: it may have read one word before and one after
 * the change.
 *
 * expect: optimal 6
 * expect: dfs 19
 * finding: assertion @here
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence;
atomic_int left, right;

static void *writer(void *unused)
{
	atomic_fetch_add(&sequence, 1);
	atomic_store(&left, 1);
	atomic_store(&right, 1);
	atomic_fetch_add(&sequence, 1);
	return unused;
}

static void *reader(void *unused)
{
	if (atomic_load(&sequence) & 1) return unused;
	int a = atomic_load(&left);
	int b = atomic_load(&right);
	assert(a == b); /* @here */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
