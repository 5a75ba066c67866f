/* SPDX-License-Identifier: MIT
 *
 * Pipes, sockets that were made in pairs, and eventfds: made, read, written, closed. Numbers that stand for something
 * else are the kernel's.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/kernel.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

MZ_HOOKS_DECLARE(CHANNELS)

static ssize_t status(ssize_t result)
{
	if (result >= 0) return result;
	errno = (int)-result;
	return -1;
}

static bool is_socket(const struct mz_channel_end *end)
{
	return end->kind >= MZ_CHANNEL_STREAM && end->kind <= MZ_CHANNEL_PACKET;
}

/* Looks up the end for a call that works on sockets only (`socket`), or on any channel. Returns 0, or minus an error
 * number if there is none. */
static int look_up(struct mz_fiber *self, int fd, bool socket, struct mz_channel_end **end, uintptr_t caller)
{
	*end = mz_descriptor_look_up(self, fd, caller);
	if (!*end) return -EBADF;
	if (!socket || is_socket(*end)) return 0;
	mz_channel_leave(*end);
	return -ENOTSOCK;
}

/* ---- making ---- */

static int make_pair(struct mz_fiber *self, struct mz_making making, int numbers[2], uintptr_t caller)
{
	int made[2];
	mz_plain_begin(self, (uintptr_t)numbers, sizeof made, caller);
	int error = mz_descriptors_make(self, &making, made, caller);
	if (error) return (int)status(-error);
	numbers[0] = made[0];
	numbers[1] = made[1];
	mz_plain_end(self, (uintptr_t)numbers, sizeof made, caller);
	return 0;
}

static int make_pipe(struct mz_fiber *self, int numbers[2], int flags, uintptr_t caller)
{
	if (flags & O_DIRECT) mz_unsupported("it makes a pipe of packets");
	if (flags & ~(O_CLOEXEC | O_NONBLOCK)) return (int)status(-EINVAL);
	struct mz_making making = {
	    .kind = MZ_CHANNEL_PIPE, .nonblocking = flags & O_NONBLOCK, .close_on_exec = flags & O_CLOEXEC};
	return make_pair(self, making, numbers, caller);
}

/* Returns RESULT, that of the real function, and notes what the function made. */
static int early_pipe(const int numbers[2], int flags, int result, uintptr_t caller)
{
	struct mz_making making = {
	    .kind = MZ_CHANNEL_PIPE, .nonblocking = flags & O_NONBLOCK, .close_on_exec = flags & O_CLOEXEC};
	if (result == 0 && mz_early_is(caller) && !(flags & O_DIRECT)) mz_early_channel_made(&making, numbers, caller);
	return result;
}

int mz_entry_pipe(int numbers[2])
{
	if (MZ_SELF()) return make_pipe(mz_current, numbers, 0, MZ_CALLER());
	return early_pipe(numbers, 0, MZ_REAL(pipe)(numbers), MZ_CALLER());
}

int mz_entry_pipe2(int numbers[2], int flags)
{
	if (MZ_SELF()) return make_pipe(mz_current, numbers, flags, MZ_CALLER());
	return early_pipe(numbers, flags, MZ_REAL(pipe2)(numbers, flags), MZ_CALLER());
}

int mz_entry_socketpair(int domain, int type, int protocol, int numbers[2])
{
	struct mz_fiber *self = MZ_SELF();
	int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
	bool known = kind == SOCK_STREAM || kind == SOCK_DGRAM || kind == SOCK_SEQPACKET;
	bool modelled = domain == AF_UNIX && known && !protocol;
	struct mz_making making = {.kind = kind == SOCK_STREAM  ? MZ_CHANNEL_STREAM
	                                   : kind == SOCK_DGRAM ? MZ_CHANNEL_DATAGRAM
	                                                        : MZ_CHANNEL_PACKET,
	                           .nonblocking = type & SOCK_NONBLOCK,
	                           .close_on_exec = type & SOCK_CLOEXEC};
	if (self && modelled) return make_pair(self, making, numbers, MZ_CALLER());
	int result = (int)mz_system_socketpair(self, MZ_CALLER(), domain, type, protocol, (long)numbers, 0, 0);
	if (result == 0 && modelled && MZ_IS_EARLY()) mz_early_channel_made(&making, numbers, MZ_CALLER());
	return result;
}

int mz_entry_eventfd(unsigned value, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	int numbers[2] = {0, -1};
	const struct mz_making making = {.kind = MZ_CHANNEL_EVENT,
	                                 .nonblocking = flags & EFD_NONBLOCK,
	                                 .close_on_exec = flags & EFD_CLOEXEC,
	                                 .one_by_one = flags & EFD_SEMAPHORE,
	                                 .value = value};
	if (!self) {
		numbers[0] = MZ_REAL(eventfd)(value, flags);
		if (numbers[0] >= 0 && MZ_IS_EARLY()) mz_early_channel_made(&making, numbers, MZ_CALLER());
		return numbers[0];
	}
	if (flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)) return (int)status(-EINVAL);
	int error = mz_descriptors_make(self, &making, numbers, MZ_CALLER());
	return error ? (int)status(-error) : numbers[0];
}

static int close_one(struct mz_fiber *self, int fd, uintptr_t caller)
{
	if (mz_descriptor_is_ours(fd)) return (int)status(-mz_descriptor_close(self, fd, caller));
	if (mz_files_is_ours(fd)) return (int)status(-EBADF);
	mz_shared_file_use(self, fd, MZ_FILE_MOVES | MZ_FILE_CLOSES, caller);
	mz_shared_file_closed(fd);
	mz_files_replace(fd);
	return MZ_REAL(close)(fd);
}

int mz_entry_close(int fd)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self) return MZ_REAL(close)(fd);
	mz_request_point(self, MZ_CALLER());
	return close_one(self, fd, MZ_CALLER());
}

/* Returns the first number from which on no descriptor is a channel, a file that is followed, or ours. */
static unsigned first_unknown(void)
{
	unsigned after = (unsigned)(mz_files_last() + 1);
	return after > MZ_CHANNEL_NUMBERS ? after : MZ_CHANNEL_NUMBERS;
}

/* Closes all that is open from `first` to `last`, each as close() does. */
static void close_all(struct mz_fiber *self, unsigned first, unsigned last, uintptr_t caller)
{
	int error = errno;
	unsigned unknown = first_unknown();
	for (unsigned fd = first; fd <= last && fd < unknown; fd++)
		if (mz_descriptor_is_ours((int)fd) || MZ_REAL(fcntl)((int)fd, F_GETFD) >= 0)
			close_one(self, (int)fd, caller);
	if (last >= unknown) MZ_REAL(close_range)(first > unknown ? first : unknown, last, 0);
	errno = error;
}

int mz_entry_close_range(unsigned first, unsigned last, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || first > last || (flags & ~(int)CLOSE_RANGE_UNSHARE))
		return MZ_REAL(close_range)(first, last, flags);
	close_all(self, first, last, MZ_CALLER());
	return 0;
}

void mz_entry_closefrom(int first)
{
	struct mz_fiber *self = MZ_SELF();
	if (self)
		close_all(self, first > 0 ? (unsigned)first : 0, ~0U, MZ_CALLER());
	else
		MZ_REAL(closefrom)(first);
}

/* ---- vectors ---- */

/* Returns the total size of a vector, or minus an error number. */
static ssize_t measure(const struct iovec *vectors, size_t n)
{
	size_t size = 0;
	if (n > IOV_MAX) return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (vectors[i].iov_len > SSIZE_MAX - size) return -EINVAL;
		size += vectors[i].iov_len;
	}
	return (ssize_t)size;
}

/* Announces a write to the vector: a place to switch where accesses are. What will be written is not known yet. */
static void will_write(struct mz_fiber *self, const struct iovec *vectors, size_t n, uintptr_t caller)
{
	for (size_t i = 0; mz_rt.mode.points_all && i < n; i++)
		if (vectors[i].iov_len)
			mz_plain_begin(self, (uintptr_t)vectors[i].iov_base, vectors[i].iov_len, caller);
}

static void will_read(struct mz_fiber *self, const struct iovec *vectors, size_t n, uintptr_t caller)
{
	for (size_t i = 0; i < n; i++)
		mz_plain(self, (uintptr_t)vectors[i].iov_base, vectors[i].iov_len, false, caller);
}

/* ---- reading ---- */

#define RECEIVING (MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_TRUNC | MSG_NOSIGNAL | MSG_CMSG_CLOEXEC)
#define SENDING (MSG_DONTWAIT | MSG_NOSIGNAL | MSG_EOR)

static ssize_t receive(struct mz_fiber *self, int fd, bool socket, const struct iovec *vectors, size_t n, int flags,
                       uintptr_t caller)
{
	struct mz_channel_end *end;
	ssize_t size = measure(vectors, n);
	if (flags & ~RECEIVING) mz_unsupported("it receives with flags that are not modelled");
	if (size < 0) return status(size);
	mz_request_point(self, caller);
	if (mz_fails_once(self, MZ_FAULT_READ_EINTR, caller)) return status(-EINTR);
	will_write(self, vectors, n, caller);
	int error = look_up(self, fd, socket, &end, caller);
	if (error) return status(error);
	const struct mz_transfer transfer = {vectors, n, (size_t)size, flags,
	                                     !end->nonblocking && !(flags & MSG_DONTWAIT)};
	ssize_t result = mz_channel_receive(self, end, &transfer, caller);
	mz_channel_leave(end);
	return status(result);
}

static ssize_t receive_bytes(struct mz_fiber *self, int fd, bool socket, void *to, size_t size, int flags,
                             uintptr_t caller)
{
	size_t wanted = mz_fault_shorten(self, MZ_FAULT_READ_SHORT, size, caller);
	const struct iovec vector = {to, wanted};
	return receive(self, fd, socket, &vector, 1, flags, caller);
}

/* Reads from a descriptor that is no channel: standard input may be an input that is explored. */
static ssize_t read_file(struct mz_fiber *self, int fd, void *to, size_t size, uintptr_t caller)
{
	ssize_t read = mz_system_read(self, caller, fd, (long)to, (long)size, 0, 0, 0);
	if (self) mz_stdin_read(fd, to, size, read, caller);
	return read;
}

ssize_t mz_entry_read(int fd, void *to, size_t size)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(fd)) return receive_bytes(self, fd, false, to, size, 0, MZ_CALLER());
	return read_file(self, fd, to, size, MZ_CALLER());
}

ssize_t mz_entry_readv(int fd, const struct iovec *vectors, int n)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(fd)) return receive(self, fd, false, vectors, (size_t)n, 0, MZ_CALLER());
	ssize_t read = mz_system_readv(self, MZ_CALLER(), fd, (long)vectors, n, 0, 0, 0);
	if (self) mz_stdin_read_vectors(fd, vectors, n, read, MZ_CALLER());
	return read;
}

ssize_t mz_entry_recv(int fd, void *to, size_t size, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(fd)) return receive_bytes(self, fd, true, to, size, flags, MZ_CALLER());
	return mz_system_recv(self, MZ_CALLER(), fd, (long)to, (long)size, flags, 0, 0);
}

/* The other end of a socket pair has no address. */
ssize_t mz_entry_recvfrom(int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || !mz_descriptor_is_ours(fd))
		return mz_system_recvfrom(self, MZ_CALLER(), fd, (long)to, (long)size, flags, (long)from, (long)length);
	ssize_t n = receive_bytes(self, fd, true, to, size, flags, MZ_CALLER());
	if (n >= 0 && from && length) *length = 0;
	return n;
}

ssize_t mz_entry_recvmsg(int fd, struct msghdr *message, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || !mz_descriptor_is_ours(fd))
		return mz_system_recvmsg(self, MZ_CALLER(), fd, (long)message, flags, 0, 0, 0);
	ssize_t room = measure(message->msg_iov, message->msg_iovlen);
	ssize_t n = receive(self, fd, true, message->msg_iov, message->msg_iovlen, flags | MSG_TRUNC, MZ_CALLER());
	if (n < 0) return n;
	message->msg_namelen = 0;
	message->msg_controllen = 0;
	message->msg_flags = n > room ? MSG_TRUNC : 0;
	return n > room && !(flags & MSG_TRUNC) ? room : n;
}

/* The names under which headers call these functions with _FORTIFY_SOURCE. */
MZ_EXPORT ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
	struct mz_fiber *self = MZ_SELF();
	(void)room;
	if (self && mz_descriptor_is_ours(fd)) return receive_bytes(self, fd, false, to, size, 0, MZ_CALLER());
	return read_file(self, fd, to, size, MZ_CALLER());
}

MZ_EXPORT ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	(void)room;
	if (self && mz_descriptor_is_ours(fd)) return receive_bytes(self, fd, true, to, size, flags, MZ_CALLER());
	return mz_system_recv(self, MZ_CALLER(), fd, (long)to, (long)size, flags, 0, 0);
}

int mz_entry_eventfd_read(int fd, eventfd_t *value)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && !mz_descriptor_is_ours(fd)) mz_request_point(self, MZ_CALLER());
	if (!self || !mz_descriptor_is_ours(fd)) return MZ_REAL(eventfd_read)(fd, value);
	const struct iovec vector = {value, sizeof *value};
	return receive(self, fd, false, &vector, 1, 0, MZ_CALLER()) == sizeof *value ? 0 : -1;
}

/* ---- writing ---- */

static ssize_t send_vectors(struct mz_fiber *self, int fd, bool socket, const struct iovec *vectors, size_t n,
                            int flags, uintptr_t caller)
{
	struct mz_channel_end *end;
	ssize_t size = measure(vectors, n);
	if (flags & ~SENDING) mz_unsupported("it sends with flags that are not modelled");
	if (size < 0) return status(size);
	mz_request_point(self, caller);
	if (mz_fails_once(self, MZ_FAULT_WRITE_EINTR, caller)) return status(-EINTR);
	will_read(self, vectors, n, caller);
	int error = look_up(self, fd, socket, &end, caller);
	if (error) return status(error);
	const struct mz_transfer transfer = {vectors, n, (size_t)size, flags,
	                                     !end->nonblocking && !(flags & MSG_DONTWAIT)};
	ssize_t result = mz_channel_send(self, end, &transfer, caller);
	mz_channel_leave(end);
	return status(result);
}

static ssize_t send_bytes(struct mz_fiber *self, int fd, bool socket, const void *from, size_t size, int flags,
                          uintptr_t caller)
{
	size_t wanted = mz_fault_shorten(self, MZ_FAULT_WRITE_SHORT, size, caller);
	const struct iovec vector = {(void *)from, wanted};
	return send_vectors(self, fd, socket, &vector, 1, flags, caller);
}

ssize_t mz_channel_write(struct mz_fiber *self, int fd, const void *from, size_t size, uintptr_t caller)
{
	return send_bytes(self, fd, false, from, size, 0, caller);
}

ssize_t mz_entry_write(int fd, const void *from, size_t size)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(fd)) return send_bytes(self, fd, false, from, size, 0, MZ_CALLER());
	return mz_file_write(self, fd, from, size, MZ_CALLER());
}

ssize_t mz_entry_writev(int fd, const struct iovec *vectors, int n)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(fd)) return send_vectors(self, fd, false, vectors, (size_t)n, 0, MZ_CALLER());
	if (self) {
		mz_request_point(self, MZ_CALLER());
		will_read(self, vectors, n > 0 ? (size_t)n : 0, MZ_CALLER());
		mz_shared_file_use(self, fd, MZ_FILE_WRITES | MZ_FILE_MOVES, MZ_CALLER());
	}
	return MZ_REAL(writev)(fd, vectors, n);
}

ssize_t mz_entry_send(int fd, const void *from, size_t size, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(fd)) return send_bytes(self, fd, true, from, size, flags, MZ_CALLER());
	return mz_system_sendto(self, MZ_CALLER(), fd, (long)from, (long)size, flags, 0, 0);
}

ssize_t mz_entry_sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || !mz_descriptor_is_ours(fd))
		return mz_system_sendto(self, MZ_CALLER(), fd, (long)from, (long)size, flags, (long)to, length);
	if (to) mz_unsupported("it sends to an address with a socket that is one of a pair");
	return send_bytes(self, fd, true, from, size, flags, MZ_CALLER());
}

ssize_t mz_entry_sendmsg(int fd, const struct msghdr *message, int flags)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self || !mz_descriptor_is_ours(fd))
		return mz_system_sendmsg(self, MZ_CALLER(), fd, (long)message, flags, 0, 0, 0);
	if (message->msg_controllen || message->msg_name)
		mz_unsupported("it sends more than bytes to a socket that is one of a pair");
	return send_vectors(self, fd, true, message->msg_iov, message->msg_iovlen, flags, MZ_CALLER());
}

int mz_entry_eventfd_write(int fd, eventfd_t value)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && !mz_descriptor_is_ours(fd)) mz_request_point(self, MZ_CALLER());
	if (!self || !mz_descriptor_is_ours(fd)) return MZ_REAL(eventfd_write)(fd, value);
	const struct iovec vector = {&value, sizeof value};
	return send_vectors(self, fd, false, &vector, 1, 0, MZ_CALLER()) == sizeof value ? 0 : -1;
}

int mz_entry_shutdown(int fd, int how)
{
	struct mz_fiber *self = MZ_SELF();
	struct mz_channel_end *end;
	if (!self || !mz_descriptor_is_ours(fd)) return MZ_REAL(shutdown)(fd, how);
	int error = look_up(self, fd, true, &end, MZ_CALLER());
	if (error) return (int)status(error);
	error = mz_channel_shutdown(self, end, how, MZ_CALLER());
	mz_channel_leave(end);
	return (int)status(-error);
}

/* ---- what else is asked of them ---- */

static long on_pipe(struct mz_fiber *self, int fd, bool change, size_t size, uintptr_t caller)
{
	struct mz_channel_end *end = mz_descriptor_look_up(self, fd, caller);
	if (!end) return -EBADF;
	long result = -EBADF;
	if (end->kind == MZ_CHANNEL_PIPE && !change) result = (long)mz_channel_capacity(self, end, caller);
	if (end->kind == MZ_CHANNEL_PIPE && change) {
		int error = mz_channel_resize(self, end, &size, caller);
		result = error ? -error : (long)size;
	}
	mz_channel_leave(end);
	return result;
}

long mz_channel_fcntl(struct mz_fiber *self, int fd, unsigned command, long argument, uintptr_t caller)
{
	switch (command) {
	case F_GETFL: return status(mz_descriptor_flags(self, fd, false, 0, caller));
	case F_SETFL: return status(mz_descriptor_flags(self, fd, true, (int)argument, caller));
	case F_GETFD: return status(mz_descriptor_own_flags(self, fd, false, 0, caller));
	case F_SETFD: return status(mz_descriptor_own_flags(self, fd, true, (int)argument, caller));
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		if (argument < 0 || argument >= MZ_CHANNEL_NUMBERS) return status(-EINVAL);
		return status(mz_descriptor_duplicate(self, fd, (int)argument, command == F_DUPFD_CLOEXEC, caller));
	case F_GETPIPE_SZ: return status(on_pipe(self, fd, false, 0, caller));
	case F_SETPIPE_SZ: return status(on_pipe(self, fd, true, (size_t)(int)argument, caller));
	default: mz_unsupported("it uses a command of fcntl on a pipe or socket that is not modelled");
	}
}

long mz_channel_ioctl(struct mz_fiber *self, int fd, unsigned request, long argument, uintptr_t caller)
{
	int *value = (int *)argument; // NOLINT(performance-no-int-to-ptr)
	if (request == FIONBIO) return status(mz_descriptor_flags(self, fd, true, *value ? O_NONBLOCK : 0, caller));
	if (request != FIONREAD) mz_unsupported("it uses a request of ioctl on a pipe or socket that is not modelled");
	struct mz_channel_end *end = mz_descriptor_look_up(self, fd, caller);
	if (!end) return status(-EBADF);
	bool has = end->kind != MZ_CHANNEL_EVENT && end->kind != MZ_CHANNEL_EPOLL && !end->timer;
	if (has) *value = (int)mz_channel_waiting(self, end, caller);
	mz_channel_leave(end);
	return status(has ? 0 : -ENOTTY);
}

bool mz_channel_status(struct mz_fiber *self, int fd, void *to, uintptr_t caller)
{
	if (!mz_descriptor_is_ours(fd)) return false;
	struct mz_channel_end *end = mz_descriptor_look_up(self, fd, caller);
	if (!end) return false;
	mode_t mode = end->kind == MZ_CHANNEL_PIPE ? S_IFIFO | 0600 : is_socket(end) ? S_IFSOCK | 0777 : 0600;
	*(struct stat *)to = (struct stat){.st_mode = mode,
	                                   .st_nlink = 1,
	                                   .st_ino = end->name & 0xffffffff,
	                                   .st_uid = getuid(),
	                                   .st_gid = getgid(),
	                                   .st_blksize = MZ_QUEUE_PAGE};
	mz_channel_leave(end);
	return true;
}
