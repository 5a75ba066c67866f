/* SPDX-License-Identifier: MIT
 *
 * exit from a thread runs the handlers, last one first, in every execution.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;
static int handled;

static void first(void)
{
	assert(handled == 1);
}

static void second(void)
{
	assert(handled == 0);
	handled = 1;
}

static void *run(void *arg)
{
	atomic_fetch_add(&value, 1);
	if (arg) exit(0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	atexit(first);
	atexit(second);
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, threads);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(!"reached");
}
