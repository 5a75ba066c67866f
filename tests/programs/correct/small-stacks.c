/* SPDX-License-Identifier: MIT
 *
 * Threads with the smallest stacks there are can use them, at operations too.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int sum;

static void *run(void *arg)
{
	char room[6000];
	memset(room, 1, sizeof room);
	atomic_fetch_add(&sum, room[(long)arg]);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_attr_t small;
	pthread_attr_init(&small);
	assert(pthread_attr_setstacksize(&small, 16384) == 0);
	for (long i = 0; i < 2; i++) pthread_create(&threads[i], &small, run, (void *)i);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
