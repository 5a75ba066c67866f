/* SPDX-License-Identifier: MIT
 *
 * A thread that comes late writes behind the end of a block of a megabyte, which nobody has used before.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: out-of-bounds @beyond
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE ((1UL << 20) + 5)

atomic_int place;
char *block;

static void *put(void *unused)
{
	int mine = atomic_fetch_add(&place, 1);
	block[SIZE - 1 + (size_t)mine] = 1; /* @beyond */
	return unused;
}

int main(void)
{
	pthread_t thread;
	block = malloc(SIZE);
	pthread_create(&thread, NULL, put, NULL);
	atomic_fetch_add(&place, 1);
	pthread_join(thread, NULL);
	free(block);
	return 0;
}
