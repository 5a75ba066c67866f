/* SPDX-License-Identifier: MIT
 *
 * A thread polls with a time-out, and reads as if there had been none.
 *
 * expect: optimal 3
 * expect: dfs 15
 * finding: assertion @reads
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];

static void *produce(void *arg)
{
	assert(write(ends[1], "x", 1) == 1);
	return arg;
}

int main(void)
{
	pthread_t producer;
	char byte;
	assert(pipe2(ends, O_NONBLOCK) == 0);
	pthread_create(&producer, NULL, produce, NULL);
	struct pollfd polled = {.fd = ends[0], .events = POLLIN};
	poll(&polled, 1, 100);
	assert(read(ends[0], &byte, 1) == 1); /* @reads */
	pthread_join(producer, NULL);
	return 0;
}
