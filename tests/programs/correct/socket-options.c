/* SPDX-License-Identifier: MIT
 *
 * Sockets that were made in pairs have the options of the kernel's sockets, and a stream holds as much as it was told to.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static int option(int socket, int name)
{
	int value = -1;
	socklen_t size = sizeof value;
	assert(getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 && size == sizeof value);
	return value;
}

int main(void)
{
	static char bytes[20000];
	int sockets[2], ends[2], little = 4000;
	struct linger linger = {.l_onoff = 1, .l_linger = 5}, got = {.l_onoff = 0};
	socklen_t size = sizeof got;
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && pipe(ends) == 0);
	assert(option(sockets[0], SO_TYPE) == SOCK_STREAM && option(sockets[0], SO_ERROR) == 0);
	assert(setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof little) == 0);
	assert(setsockopt(sockets[0], SOL_SOCKET, SO_LINGER, &linger, sizeof linger) == 0);
	int copy = dup(sockets[0]);
	assert(option(copy, SO_SNDBUF) == 2 * little && option(sockets[1], SO_SNDBUF) > 2 * little);
	assert(getsockopt(copy, SOL_SOCKET, SO_LINGER, &got, &size) == 0 && got.l_onoff && got.l_linger == 5);
	assert(fcntl(copy, F_SETFL, O_NONBLOCK) == 0);
	assert(write(copy, bytes, sizeof bytes) > 0 && write(copy, bytes, sizeof bytes) == -1 && errno == EAGAIN);
	assert(setsockopt(copy, SOL_SOCKET, 9999, &little, sizeof little) == -1 && errno == ENOPROTOOPT);
	assert(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &little, &size) == -1 && errno == ENOTSOCK);
	return 0;
}
