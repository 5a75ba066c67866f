/* SPDX-License-Identifier: MIT
 *
 * A destructor function that calls exit ends the process: handlers that it registered run, but none of the destructor
 * functions that come after it. quick_exit runs none at all.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int value;
static int finalised;

static void handler(void)
{
	assert(finalised == 1);
	_exit(0);
}

__attribute__((destructor(200))) static void last(void)
{
	assert(!"called");
}

__attribute__((destructor(201))) static void before_the_last(void)
{
	assert(finalised++ == 0);
	atexit(handler);
	exit(1);
}

static void *thread(void *argument)
{
	value++;
	return argument;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, thread, NULL);
	if (value) quick_exit(0);
	return 0;
}
