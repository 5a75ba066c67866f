/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for a pipe is told to stop by closing the number that it reads from. If it waits already it
 * goes on to do so.
 *
 * expect: optimal 4
 * expect: dfs 10
 * finding: deadlock @reads
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];

static void *listen_to(void *arg)
{
	char byte;
	while (read(ends[0], &byte, 1) == 1) assert(byte == 'x'); /* @reads */
	return arg;
}

int main(void)
{
	pthread_t listener;
	assert(pipe(ends) == 0);
	pthread_create(&listener, NULL, listen_to, NULL);
	assert(write(ends[1], "x", 1) == 1);
	assert(close(ends[0]) == 0);
	pthread_join(listener, NULL);
	return 0;
}
