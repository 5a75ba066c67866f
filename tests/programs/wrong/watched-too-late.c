/* SPDX-License-Identifier: MIT
 *
 * A loop by edges looks into a pipe before it watches that, and drains it: what was written in between it is told of;
 * but here it watches first and drains without looking whether it was told, so it waits for an edge that it has had.
 *
 * expect: optimal 2
 * expect: dfs 28
 * finding: deadlock @waits
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
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
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int loop = epoll_create1(0);
	char byte;
	assert(pipe2(ends, O_NONBLOCK) == 0);
	pthread_create(&producer, NULL, produce, NULL);
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, ends[0], &event) == 0);
	(void)!read(ends[0], &byte, 1);
	assert(epoll_wait(loop, &event, 1, -1) == 1); /* @waits */
	pthread_join(producer, NULL);
	return 0;
}
