/* SPDX-License-Identifier: MIT
 *
 * Moves descriptors of ours that a program under test inherits out of its way: the program gets the numbers that it
 * would get by itself, in all processes that run it.
 */
#ifndef MZ_BASE_FD_H
#define MZ_BASE_FD_H

#include <fcntl.h>
#include <unistd.h>

#define MZ_FD_HIGH 900

/* Duplicates `fd` to a number from MZ_FD_HIGH on, closes `fd` and returns the new number. Returns `fd` itself if there
 * is no such number, or if it is negative. */
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
