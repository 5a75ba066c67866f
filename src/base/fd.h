/* SPDX-License-Identifier: MIT
 *
 * Descriptors of ours that a program under test inherits are out of its way: it gets the numbers that it would get by
 * itself, in all processes that run it.
 */
#ifndef MZ_BASE_FD_H
#define MZ_BASE_FD_H

#include <fcntl.h>
#include <unistd.h>

#define MZ_FD_HIGH 900

/* The same under a high number, if there is one. What it was given is closed then. */
static inline int mz_fd_high(int fd)
{
	if (fd < 0) return fd;
	int flags = fcntl(fd, F_GETFD), high = fcntl(fd, F_DUPFD, MZ_FD_HIGH);
	if (high < 0) return fd;
	if (flags & FD_CLOEXEC) fcntl(high, F_SETFD, flags);
	close(fd);
	return high;
}

#endif
