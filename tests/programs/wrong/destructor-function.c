/* SPDX-License-Identifier: MIT
 *
 * Functions with __attribute__((destructor)) run at the end of the process, after the exit handlers, and while other
 * threads go on.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: assertion @here
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;
static int handled, finalised;

static void handler(void)
{
	assert(!finalised);
	handled++;
}

__attribute__((destructor(200))) static void last(void)
{
	assert(finalised == 1);
	assert(value == 1); /* @here */
}

__attribute__((destructor(201))) static void before_the_last(void)
{
	assert(handled == 1 && finalised == 0);
	finalised++;
}

static void *thread(void *argument)
{
	value = 1;
	return argument;
}

int main(void)
{
	pthread_t other;
	atexit(handler);
	pthread_create(&other, NULL, thread, NULL);
	pthread_detach(other);
	return 0;
}
