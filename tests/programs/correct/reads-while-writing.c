/* SPDX-License-Identifier: MIT
 *
 * Two threads send each other more than fits into a pipe, in pieces: each reads what is there when it cannot write.
 *
 * expect: optimal 15
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#define SIZE 8192 /* twice what fits */

int there[2], back[2];
char sent[2][SIZE], received[2][SIZE];

static void exchange(int me, int in, int out)
{
	size_t written = 0, got = 0;
	while (written < SIZE || got < SIZE) {
		struct pollfd polled[2] = {{.fd = got < SIZE ? in : -1, .events = POLLIN},
		                           {.fd = written < SIZE ? out : -1, .events = POLLOUT}};
		assert(poll(polled, 2, -1) > 0);
		if (polled[0].revents) {
			ssize_t n = read(in, received[me] + got, SIZE - got);
			assert(n > 0);
			got += (size_t)n;
		}
		if (polled[1].revents) {
			ssize_t n = write(out, sent[me] + written, SIZE - written);
			assert(n > 0);
			written += (size_t)n;
		}
	}
}

static void *other(void *arg)
{
	exchange(1, there[0], back[1]);
	return arg;
}

int main(void)
{
	pthread_t thread;
	assert(pipe2(there, O_NONBLOCK) == 0 && pipe2(back, O_NONBLOCK) == 0);
	assert(fcntl(there[1], F_SETPIPE_SZ, 4096) == 4096 && fcntl(back[1], F_SETPIPE_SZ, 4096) == 4096);
	for (int i = 0; i < SIZE; i++) sent[0][i] = sent[1][i] = (char)(i % 251);
	pthread_create(&thread, NULL, other, NULL);
	exchange(0, back[0], there[1]);
	pthread_join(thread, NULL);
	for (int i = 0; i < SIZE; i++) assert(received[0][i] == sent[1][i] && received[1][i] == sent[0][i]);
	return 0;
}
