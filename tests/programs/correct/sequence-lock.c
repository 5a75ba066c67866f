/* SPDX-License-Identifier: MIT
 *
 * A writer makes a counter odd while it changes two words; a reader reads again when the counter was odd, or has
 * changed.
 *
 * expect: optimal 20
 * expect: dfs 122
 * counted: -O2
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
	unsigned before;
	int a, b;
	do {
		while ((before = atomic_load(&sequence)) & 1) {}
		a = atomic_load(&left);
		b = atomic_load(&right);
	} while (atomic_load(&sequence) != before);
	assert(a == b);
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
