/* SPDX-License-Identifier: MIT
 *
 * A ring between one who writes and one who reads: the index that is published with release order and read with
 * acquire order says what is there.
 *
 * expect: optimal 14
 * expect: dfs 1861
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PUBLISH memory_order_release
#define LOOK memory_order_acquire

enum { SIZE = 2 };

int ring[SIZE];
atomic_uint written, read_;

static void *writer(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		unsigned at = atomic_load_explicit(&written, memory_order_relaxed);
		if (at - atomic_load_explicit(&read_, LOOK) == SIZE) break;
		ring[at % SIZE] = i;
		atomic_store_explicit(&written, at + 1, PUBLISH);
	}
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		unsigned at = atomic_load_explicit(&read_, memory_order_relaxed);
		if (at == atomic_load_explicit(&written, LOOK)) break;
		assert(ring[at % SIZE] == i);
		atomic_store_explicit(&read_, at + 1, PUBLISH);
	}
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
