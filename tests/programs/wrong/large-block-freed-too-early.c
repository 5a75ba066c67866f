/* SPDX-License-Identifier: MIT
 *
 * A large block is freed once a thread has said that it is done with it. It says so in a way that orders nothing: that
 * is a data race, although the write always comes first.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: data-race @write|@free
 * unseen: data-race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE (1UL << 20)

char *block;
atomic_int done;

static void *put(void *unused)
{
	block[SIZE / 2] = 1; /* @write */
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t thread;
	block = malloc(SIZE);
	pthread_create(&thread, NULL, put, NULL);
	if (atomic_load_explicit(&done, memory_order_relaxed)) free(block); /* @free */
	pthread_join(thread, NULL);
	return 0;
}
