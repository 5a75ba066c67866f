/* SPDX-License-Identifier: MIT
 *
 * An event loop that is told of edges reads once for each: if two writes were one edge, something is left in the pipe,
 * and nothing more happens there.
 *
 * expect: optimal 4
 * expect: dfs 201
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
	for (int i = 0; i < 2; i++) assert(write(ends[1], "ab", 2) == 2);
	return arg;
}

int main(void)
{
	pthread_t producer;
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int got = 0, loop = epoll_create1(0);
	assert(pipe2(ends, O_NONBLOCK) == 0);
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, ends[0], &event) == 0);
	pthread_create(&producer, NULL, produce, NULL);
	while (got < 4) {
		char piece[2];
		assert(epoll_wait(loop, &event, 1, -1) == 1); /* @waits */
		ssize_t n = read(ends[0], piece, sizeof piece);
		assert(n == 2);
		got += (int)n;
	}
	pthread_join(producer, NULL);
	return 0;
}
