/* SPDX-License-Identifier: MIT
 *
 * What dprintf prints into a pipe or a socket is there to be read, short or long.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char text[6001];

static void print_and_read(int from, int to, const char *what, int length)
{
	char got[sizeof text + 3];
	assert(dprintf(to, "<%s>%d", what, 7) == length + 3);
	assert(read(from, got, sizeof got) == length + 3);
	assert(got[0] == '<' && memcmp(got + 1, what, (size_t)length) == 0 && memcmp(got + 1 + length, ">7", 2) == 0);
}

int main(void)
{
	int ends[2], sockets[2];
	memset(text, 'x', sizeof text - 1);
	assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	print_and_read(ends[0], ends[1], "short", 5);
	print_and_read(ends[0], ends[1], text, 6000);
	print_and_read(sockets[0], sockets[1], "short", 5);
	assert(dprintf(ends[0], "%d", 7) == -1); /* the end that is read from */
	return 0;
}
