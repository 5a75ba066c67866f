/* SPDX-License-Identifier: MIT
 *
 * An update of memory that was mapped, and is shared by threads, is lost.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @lost
 * flags: -D_DEFAULT_SOURCE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

static atomic_long *counter;

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED);
	return memory;
}

static void *adds(void *arg)
{
	long *own = map(10000);
	assert(*own == 0);
	*own = atomic_load(counter);
	atomic_store(counter, *own + 1);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	char *more = map(3 * 4096);
	counter = map(sizeof *counter);
	assert(munmap(more + 4096, 4096) == 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, adds, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(more[0] == 0 && more[8192] == 0);
	assert(atomic_load(counter) == 2); /* @lost */
	return 0;
}
