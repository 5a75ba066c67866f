/* SPDX-License-Identifier: MIT
 *
 * A thread reads by a number of its own, which stays when the one it was made from is closed and given to another pipe.
 *
 * expect: optimal 2
 * expect: dfs 15
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ends[2], own;

static void *consume(void *arg)
{
	char byte;
	assert(read(own, &byte, 1) == 1 && byte == 'x');
	return arg;
}

int main(void)
{
	pthread_t consumer;
	int others[2];
	assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
	own = dup(ends[0]);
	pthread_create(&consumer, NULL, consume, NULL);
	close(ends[0]);
	assert(pipe(others) == 0 && others[0] == ends[0] && write(others[1], "y", 1) == 1);
	pthread_join(consumer, NULL);
	return 0;
}
