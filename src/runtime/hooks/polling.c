/* SPDX-License-Identifier: MIT
 *
 * poll, select and epoll, for descriptors of channels. Where none is one it is the kernel's. Masks of signals change
 * nothing.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/kernel.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <signal.h>
#include <sys/select.h>

MZ_HOOKS_DECLARE(POLLING)

#define MILLISECOND 1000000ULL

static int status(int result)
{
	if (result >= 0) return result;
	errno = -result;
	return -1;
}

static uint64_t milliseconds(int time)
{
	return time < 0 ? MZ_POLL_FOREVER : (uint64_t)time * MILLISECOND;
}

/* Returns a length of time; MZ_POLL_FOREVER for NULL. */
static uint64_t length_of(const struct timespec *time)
{
	return time ? mz_time_length(time) : MZ_POLL_FOREVER;
}

/* ---- poll ---- */

static bool any_ours(const struct pollfd *polled, nfds_t n)
{
	for (nfds_t i = 0; i < n; i++)
		if (mz_descriptor_is_ours(polled[i].fd)) return true;
	return n == 0;
}

static int poll_channels(struct mz_fiber *self, struct pollfd *polled, nfds_t n, uint64_t length, uintptr_t caller)
{
	struct pollfd copy[64];
	if (n > 64) mz_unsupported("it polls more than 64 descriptors at once");
	for (nfds_t i = 0; i < n; i++) copy[i] = polled[i];
	mz_request_point(self, caller);
	int ready = mz_poll(self, copy, n, length, caller);
	for (nfds_t i = 0; i < n; i++) {
		if (polled[i].revents != copy[i].revents) mz_spin_write(self, (uintptr_t)&polled[i], sizeof polled[i]);
		polled[i].revents = copy[i].revents;
	}
	if (n) mz_plain_end(self, (uintptr_t)polled, n * sizeof *polled, caller);
	return status(ready);
}

int mz_entry_poll(struct pollfd *polled, nfds_t n, int time)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && any_ours(polled, n)) return poll_channels(self, polled, n, milliseconds(time), MZ_CALLER());
	return (int)mz_system_poll(self, MZ_CALLER(), (long)polled, (long)n, time, 0, 0, 0);
}

int mz_entry_ppoll(struct pollfd *polled, nfds_t n, const struct timespec *time, const sigset_t *mask)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || !any_ours(polled, n))
		return (int)mz_system_ppoll(self, MZ_CALLER(), (long)polled, (long)n, (long)time, (long)mask, 0, 0);
	if (time && mz_time_length(time) == MZ_TIME_INVALID) return status(-EINVAL);
	return poll_channels(self, polled, n, length_of(time), MZ_CALLER());
}

MZ_EXPORT int __poll_chk(struct pollfd *polled, nfds_t n, int time, size_t room);
int __poll_chk(struct pollfd *polled, nfds_t n, int time, size_t room)
{
	struct mz_fiber *self = MZ_SELF();
	(void)room;
	if (self && any_ours(polled, n)) return poll_channels(self, polled, n, milliseconds(time), MZ_CALLER());
	return (int)mz_system_poll(self, MZ_CALLER(), (long)polled, (long)n, time, 0, 0, 0);
}

/* ---- select ---- */

struct sets {
	fd_set *reads, *writes, *others;
};

static bool is_in_set(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

static bool any_ours_in(int n, const struct sets *sets)
{
	bool any = false;
	for (int fd = 0; fd < n; fd++) {
		if (!is_in_set(sets->reads, fd) && !is_in_set(sets->writes, fd) && !is_in_set(sets->others, fd))
			continue;
		if (mz_descriptor_is_ours(fd)) return true;
		any = true;
	}
	return !any;
}

static size_t list(int n, const struct sets *sets, struct pollfd polled[64])
{
	size_t count = 0;
	for (int fd = 0; fd < n; fd++) {
		short events =
		    (short)((is_in_set(sets->reads, fd) ? POLLIN : 0) | (is_in_set(sets->writes, fd) ? POLLOUT : 0));
		if (!events) continue; /* channels have no exceptional conditions */
		if (count == 64) mz_unsupported("it selects from more than 64 descriptors at once");
		polled[count++] = (struct pollfd){.fd = fd, .events = events};
	}
	return count;
}

static void clear(struct mz_fiber *self, int n, fd_set *set, uintptr_t caller)
{
	if (!set) return;
	mz_spin_write(self, (uintptr_t)set, ((size_t)n + NFDBITS - 1) / NFDBITS * sizeof(fd_mask));
	mz_plain_end(self, (uintptr_t)set, ((size_t)n + NFDBITS - 1) / NFDBITS * sizeof(fd_mask), caller);
	for (int fd = 0; fd < n; fd++) FD_CLR(fd, set);
}

static int mark(const struct pollfd *polled, fd_set *set, short wanted, short shows)
{
	if (!(polled->events & wanted) || !(polled->revents & shows)) return 0;
	FD_SET(polled->fd, set);
	return 1;
}

static int select_channels(struct mz_fiber *self, int n, const struct sets *sets, uint64_t length, uintptr_t caller)
{
	struct pollfd polled[64];
	size_t count = list(n, sets, polled);
	int ready = 0;
	mz_request_point(self, caller);
	int error = mz_poll(self, polled, count, length, caller);
	if (error < 0) return status(error);
	for (size_t i = 0; i < count; i++)
		if (polled[i].revents & POLLNVAL) return status(-EBADF);
	clear(self, n, sets->reads, caller);
	clear(self, n, sets->writes, caller);
	clear(self, n, sets->others, caller);
	for (size_t i = 0; i < count; i++) {
		ready += mark(&polled[i], sets->reads, POLLIN, POLLIN | POLLHUP | POLLERR);
		ready += mark(&polled[i], sets->writes, POLLOUT, POLLOUT | POLLERR);
	}
	return ready;
}

int mz_entry_select(int n, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *time)
{
	struct mz_fiber *self = MZ_SELF();
	const struct sets sets = {reads, writes, others};
	if (self && n < 0) return status(-EINVAL);
	if (!self || !any_ours_in(n, &sets))
		return (int)mz_system_select(self, MZ_CALLER(), n, (long)reads, (long)writes, (long)others, (long)time,
		                             0);
	uint64_t length = MZ_POLL_FOREVER;
	if (time) {
		const struct timespec exactly = {time->tv_sec + time->tv_usec / 1000000,
		                                 time->tv_usec % 1000000 * 1000};
		length = mz_time_length(&exactly);
		if (length == MZ_TIME_INVALID) return status(-EINVAL);
	}
	return select_channels(self, n, &sets, length, MZ_CALLER());
}

int mz_entry_pselect(int n, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *time,
                     const sigset_t *mask)
{
	struct mz_fiber *self = MZ_SELF();
	const struct sets sets = {reads, writes, others};
	if (self && n < 0) return status(-EINVAL);
	if (!self || !any_ours_in(n, &sets))
		return (int)mz_system_pselect(self, MZ_CALLER(), n, (long)reads, (long)writes, (long)others, (long)time,
		                              (long)mask);
	if (time && mz_time_length(time) == MZ_TIME_INVALID) return status(-EINVAL);
	return select_channels(self, n, &sets, length_of(time), MZ_CALLER());
}

/* ---- epoll ---- */

static int make_epoll(struct mz_fiber *self, bool close_on_exec, uintptr_t caller)
{
	const struct mz_making making = {.kind = MZ_CHANNEL_EPOLL, .close_on_exec = close_on_exec};
	int numbers[2];
	int error = mz_descriptors_make(self, &making, numbers, caller);
	return error ? status(-error) : numbers[0];
}

int mz_entry_epoll_create(int size)
{
	if (!MZ_SELF()) return MZ_REAL(epoll_create)(size);
	return size > 0 ? make_epoll(mz_current, false, MZ_CALLER()) : status(-EINVAL);
}

int mz_entry_epoll_create1(int flags)
{
	if (!MZ_SELF()) return MZ_REAL(epoll_create1)(flags);
	return flags & ~EPOLL_CLOEXEC ? status(-EINVAL) : make_epoll(mz_current, flags & EPOLL_CLOEXEC, MZ_CALLER());
}

int mz_entry_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || !mz_descriptor_is_ours(epoll)) return MZ_REAL(epoll_ctl)(epoll, operation, fd, event);
	if (event) mz_plain(self, (uintptr_t)event, sizeof *event, false, MZ_CALLER());
	if (operation != EPOLL_CTL_DEL && !event) return status(-EFAULT);
	return status(-mz_epoll_control(self, epoll, operation, fd, event, MZ_CALLER()));
}

static int epoll_channels(struct mz_fiber *self, int epoll, struct epoll_event *events, int most, uint64_t length,
                          uintptr_t caller)
{
	if (mz_rt.mode.points_all && most > 0)
		mz_plain_begin(self, (uintptr_t)events, (size_t)most * sizeof *events, caller);
	int n = mz_epoll_wait(self, epoll, events, most, length, caller);
	if (n <= 0) return status(n);
	mz_spin_write(self, (uintptr_t)events, (size_t)n * sizeof *events);
	mz_plain_end(self, (uintptr_t)events, (size_t)n * sizeof *events, caller);
	return n;
}

int mz_entry_epoll_wait(int epoll, struct epoll_event *events, int most, int time)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) mz_request_point(self, MZ_CALLER());
	if (!self || !mz_descriptor_is_ours(epoll)) return MZ_REAL(epoll_wait)(epoll, events, most, time);
	return epoll_channels(self, epoll, events, most, milliseconds(time), MZ_CALLER());
}

int mz_entry_epoll_pwait(int epoll, struct epoll_event *events, int most, int time, const sigset_t *mask)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) mz_request_point(self, MZ_CALLER());
	if (!self || !mz_descriptor_is_ours(epoll)) return MZ_REAL(epoll_pwait)(epoll, events, most, time, mask);
	return epoll_channels(self, epoll, events, most, milliseconds(time), MZ_CALLER());
}

int mz_entry_epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *time,
                          const sigset_t *mask)
{
	struct mz_fiber *self = MZ_SELF();
	if (self) mz_request_point(self, MZ_CALLER());
	if (!self || !mz_descriptor_is_ours(epoll)) return MZ_REAL(epoll_pwait2)(epoll, events, most, time, mask);
	if (time && mz_time_length(time) == MZ_TIME_INVALID) return status(-EINVAL);
	return epoll_channels(self, epoll, events, most, length_of(time), MZ_CALLER());
}
