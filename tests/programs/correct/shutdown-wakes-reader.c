/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for a socket is told to stop by shutting that down: it reads the end. The numbers are closed when
 * nobody uses them any more.
 *
 * expect: optimal 2
 * expect: dfs 22
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

int pair[2];

static void *listen_to(void *arg)
{
	char byte;
	while (read(pair[0], &byte, 1) == 1) assert(byte == 'x');
	return arg;
}

int main(void)
{
	pthread_t listener;
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	pthread_create(&listener, NULL, listen_to, NULL);
	assert(write(pair[1], "x", 1) == 1);
	assert(shutdown(pair[0], SHUT_RDWR) == 0);
	pthread_join(listener, NULL);
	assert(close(pair[0]) == 0 && close(pair[1]) == 0);
	return 0;
}
