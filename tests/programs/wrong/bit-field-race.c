/* SPDX-License-Identifier: MIT
 *
 * Two fields of one byte cannot be written by two threads.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @left|@right
 */
#include <pthread.h>

struct {
	unsigned left : 4;
	unsigned right : 4;
} shared;

static void *run_left(void *arg)
{
	(void)arg;
	shared.left = 1; /* @left */
	return NULL;
}

static void *run_right(void *arg)
{
	(void)arg;
	shared.right = 1; /* @right */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_left, NULL);
	pthread_create(&threads[1], NULL, run_right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
