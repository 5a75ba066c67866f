/* SPDX-License-Identifier: MIT
 *
 * Functions that hooks in different files share: calls that go to the kernel for most descriptors, and to the runtime
 * for those of channels.
 */
#ifndef MZ_RUNTIME_HOOKS_KERNEL_H
#define MZ_RUNTIME_HOOKS_KERNEL_H

#include "runtime/core/core.h"
#include <sys/types.h>

/* As the functions of these names, by the kernel (system.c); `self` is NULL if the program runs by itself. */
#define MZ_KERNEL(X)                                                                                                   \
	X(read)                                                                                                        \
	X(readv)                                                                                                       \
	X(recv)                                                                                                        \
	X(recvfrom)                                                                                                    \
	X(recvmsg)                                                                                                     \
	X(sendto)                                                                                                      \
	X(sendmsg)                                                                                                     \
	X(socketpair)                                                                                                  \
	X(poll)                                                                                                        \
	X(ppoll)                                                                                                       \
	X(select)                                                                                                      \
	X(pselect)
#define X(name)                                                                                                        \
	long mz_system_##name(struct mz_fiber *self, uintptr_t caller, long a, long b, long c, long d, long e, long f);
MZ_KERNEL(X)
#undef X

/* As getrandom, of a thread that is being explored (random.c). */
ssize_t mz_chance_get(struct mz_fiber *self, void *to, size_t size, unsigned flags, uintptr_t caller);
/* As write (files.c). */
ssize_t mz_file_write(struct mz_fiber *self, int fd, const void *from, size_t size, uintptr_t caller);

/* On a channel (channels.c): as ioctl, fcntl and write. The last fills `status` as fstat does, and reports whether it
 * could. */
long mz_channel_ioctl(struct mz_fiber *self, int fd, unsigned request, long argument, uintptr_t caller);
long mz_channel_fcntl(struct mz_fiber *self, int fd, unsigned command, long argument, uintptr_t caller);
ssize_t mz_channel_write(struct mz_fiber *self, int fd, const void *from, size_t size, uintptr_t caller);
bool mz_channel_status(struct mz_fiber *self, int fd, void *status, uintptr_t caller);

#endif
