/* SPDX-License-Identifier: MIT
 *
 * A read that got something is taken for one that got everything.
 *
 * expect: optimal 2
 * expect: dfs 2
 * options: --fail read:short
 * finding: assertion @here
 * unseen: assertion
 */
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char buffer[8];
	memset(buffer, 1, sizeof buffer);
	int fd = open("/dev/zero", O_RDONLY);
	ssize_t got = read(fd, buffer, sizeof buffer);
	close(fd);
	assert(got <= 0 || buffer[7] == 0); /* @here */
	return 0;
}
