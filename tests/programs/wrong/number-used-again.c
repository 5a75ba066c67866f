/* SPDX-License-Identifier: MIT
 *
 * A thread reads by a number that another one closes: by then it may stand for another pipe, or for nothing.
 *
 * expect: optimal 4
 * expect: dfs 9
 * findings: assertion @reads
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];

static void *consume(void *arg)
{
	char byte;
	assert(read(ends[0], &byte, 1) == 1 && byte == 'x'); /* @reads */
	return arg;
}

int main(void)
{
	pthread_t consumer;
	int others[2];
	assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
	pthread_create(&consumer, NULL, consume, NULL);
	close(ends[0]);
	assert(pipe(others) == 0 && others[0] == ends[0] && write(others[1], "y", 1) == 1);
	pthread_join(consumer, NULL);
	return 0;
}
