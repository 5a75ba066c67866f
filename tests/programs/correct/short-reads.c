/* SPDX-License-Identifier: MIT
 *
 * Files may not be opened, reads and writes be interrupted and cut short: it is tried again until everything is done.
 *
 * expect: optimal 38
 * expect: dfs 38
 * options: --fail open,fopen,read:short,read:EINTR,write:short,write:EINTR
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void read_all(int fd, char *to, size_t size)
{
	while (size) {
		ssize_t got = read(fd, to, size);
		assert(got > 0 || errno == EINTR);
		if (got < 0) continue;
		to += got;
		size -= (size_t)got;
	}
}

static void write_all(int fd, const char *from, size_t size)
{
	while (size) {
		ssize_t sent = write(fd, from, size);
		assert(sent > 0 || errno == EINTR);
		if (sent < 0) continue;
		from += sent;
		size -= (size_t)sent;
	}
}

int main(void)
{
	char buffer[2] = {1, 1};
	FILE *stream = fopen("/dev/null", "r");
	if (!stream) {
		assert(errno == EMFILE);
		return 0;
	}
	fclose(stream);
	int fd = open("/dev/zero", O_RDWR);
	if (fd < 0) {
		assert(errno == EMFILE);
		return 0;
	}
	read_all(fd, buffer, sizeof buffer);
	assert(!buffer[0] && !buffer[1]);
	write_all(fd, buffer, sizeof buffer);
	close(fd);
	return 0;
}
