/* SPDX-License-Identifier: MIT
 *
 * Two buffers: the writer shows one and then fills it; whoever looks sees half of it.
 *
 * expect: optimal 5
 * expect: dfs 20
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct buffer {
	atomic_int first, second;
};

struct buffer buffers[2];
atomic_int shown;

static void *writer(void *unused)
{
	atomic_store(&shown, 1);
	atomic_store(&buffers[1].first, 1);
	atomic_store(&buffers[1].second, 1);
	return unused;
}

static void *reader(void *unused)
{
	struct buffer *buffer = &buffers[atomic_load(&shown)];
	int first = atomic_load(&buffer->first);
	assert(first == atomic_load(&buffer->second)); /* @here */
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
