/* SPDX-License-Identifier: MIT
 *
 * Waiting for channels until something can be done with one of them: poll, select, epoll.
 *
 * What is not a channel is asked of the kernel, without waiting; such a wait is listed as uncontrolled.
 */
#ifndef MZ_RUNTIME_CHANNELS_POLL_H
#define MZ_RUNTIME_CHANNELS_POLL_H

#include "runtime/channels/channel.h"
#include <poll.h>
#include <sys/epoll.h>

#define MZ_POLL_FOREVER UINT64_MAX

/* As poll, with a timeout of `length` nanoseconds or MZ_POLL_FOREVER. Returns the number of descriptors with events, or
 * minus an error number. */
int mz_poll(struct mz_fiber *self, struct pollfd *polled, size_t n, uint64_t length, uintptr_t caller);

/* As epoll_ctl. Returns 0 or an error number. */
int mz_epoll_control(struct mz_fiber *self, int epoll, int operation, int number, const struct epoll_event *event,
                     uintptr_t caller);
/* As epoll_wait, with a timeout of `length` nanoseconds or MZ_POLL_FOREVER. Returns the number of events, or minus an
 * error number. */
int mz_epoll_wait(struct mz_fiber *self, int epoll, struct epoll_event *events, int most, uint64_t length,
                  uintptr_t caller);

#endif
