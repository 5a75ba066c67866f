/* SPDX-License-Identifier: MIT
 *
 * A handler wakes the loop of its own thread through a pipe: poll is interrupted by the signal, or finds what the
 * handler wrote.
 *
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int ends[2];

static void on_signal(int number)
{
	assert(number == SIGUSR1 && write(ends[1], "s", 1) == 1);
}

static void *loop(void *arg)
{
	struct pollfd polled = {.fd = ends[0], .events = POLLIN};
	char byte;
	int n;
	while ((n = poll(&polled, 1, -1)) < 0) assert(errno == EINTR);
	assert(n == 1 && read(ends[0], &byte, 1) == 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = on_signal};
	assert(pipe2(ends, O_NONBLOCK) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
	pthread_create(&thread, NULL, loop, NULL);
	assert(pthread_kill(thread, SIGUSR1) == 0);
	pthread_join(thread, NULL);
	return 0;
}
