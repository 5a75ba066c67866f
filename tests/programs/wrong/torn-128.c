/* SPDX-License-Identifier: MIT
 *
 * A pointer and its version are one value of 128 bits, written in two halves: whoever reads between them has one of
 * each.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @here
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct versioned {
	_Atomic uint64_t pointer, version;
};

_Alignas(16) struct versioned current = {0x1000, 1};

static void *writer(void *unused)
{
	atomic_store(&current.pointer, 0x2000);
	atomic_store(&current.version, 2);
	return unused;
}

static void *reader(void *unused)
{
	uint64_t pointer = atomic_load(&current.pointer);
	uint64_t version = atomic_load(&current.version);
	assert(pointer == version << 12); /* @here */
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
