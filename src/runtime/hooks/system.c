/* SPDX-License-Identifier: MIT
 *
 * Functions through which the kernel writes to the program's memory. They are passed on, but first the pages are made
 * writable (see mz_image_touch()), and what was written counts as a plain write of the thread that called. Where
 * accesses are places to switch, that place is before the call, and the access as long as it may become.
 *
 * All take at most six integers or pointers, and so can be passed on without knowing their types; no header that
 * declares them is included here, or their names would be taken. imports.c knows by their section that they are not
 * modelled.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/access.h"
#include "runtime/fault.h"
#include "runtime/futex.h"
#include "runtime/image.h"
#include "runtime/imports.h"
#include "runtime/real.h"
#include "runtime/request.h"
#include "runtime/runtime.h"
#include "runtime/uncontrolled.h"
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>

typedef long word;
typedef word passed_on(word, word, word, word, word, word);

/* Of the structures, sizes alone matter: those of this machine, or more. Touching too much does no harm. */
#define STAT 144
#define STATX 256
#define STATFS 120
#define SYSINFO 112
#define ITIMERVAL 32
#define RUSAGE 144
#define SIGINFO 128
#define UTSNAME 390
#define SIGSET 128
#define MESSAGE 56
#define UNKNOWN 4096 /* what a call of no fixed meaning may write through a pointer */

struct vector {
	void *base;
	size_t length;
};

/* As in struct msghdr. */
struct message {
	void *name;
	uint32_t name_size;
	struct vector *vectors;
	size_t nvectors;
	void *control;
	size_t control_size;
	int flags;
};

static void before(struct mz_fiber *self, word address, word size, uintptr_t caller)
{
	if (!address || size <= 0) return;
	mz_image_touch((void *)address, (size_t)size);
	mz_plain_begin(self, (uintptr_t)address, (size_t)size, caller);
}

static void after(struct mz_fiber *self, word address, word size, uintptr_t caller)
{
	if (address && size > 0) mz_plain_end(self, (uintptr_t)address, (size_t)size, caller);
}

static void touch(word address, word size)
{
	if (size > 0) mz_image_touch((void *)address, (size_t)size);
}

/* 0 if it is too large to be the length of anything. */
static word product(word count, word size)
{
	word bytes;
	return count < 0 || size < 0 || __builtin_mul_overflow(count, size, &bytes) ? 0 : bytes;
}

static void before_vectors(struct mz_fiber *self, word vectors, word n, uintptr_t caller)
{
	const struct vector *each = (const struct vector *)vectors;
	for (word i = 0; i < n; i++) before(self, (word)each[i].base, (word)each[i].length, caller);
}

static void after_vectors(struct mz_fiber *self, word vectors, word n, word size, uintptr_t caller)
{
	const struct vector *each = (const struct vector *)vectors;
	for (word i = 0; i < n && size > 0; i++) {
		word here = (word)each[i].length < size ? (word)each[i].length : size;
		after(self, (word)each[i].base, here, caller);
		size -= here;
	}
}

/* An address of which the caller says how long it may be, and is told how long it is. */
static void touch_sized(word address, word size)
{
	if (!address || !size) return;
	touch(size, sizeof(uint32_t));
	touch(address, *(const uint32_t *)size);
}

/* What replaces `name`: does `first`, calls the real one, does `then` with its result `r`. `self` is the thread. */
#define PASSED_ON(name, first, then)                                                                                   \
	MZ_EXPORT MZ_PASSED_ON word mz_system_##name(word a, word b, word c, word d, word e, word f) __asm__(#name);   \
	word mz_system_##name(word a, word b, word c, word d, word e, word f)                                          \
	{                                                                                                              \
		static passed_on *real;                                                                                \
		static enum mz_uncontrolled counted;                                                                   \
		static bool is_point;                                                                                  \
		if (MZ_UNLIKELY(!real)) {                                                                              \
			is_point = mz_request_is_point(#name);                                                         \
			counted = mz_uncontrolled_find(#name);                                                         \
			real = (passed_on *)mz_real_find(#name);                                                       \
		}                                                                                                      \
		struct mz_fiber *self = MZ_SELF();                                                                     \
		if (!self) return real(a, b, c, d, e, f);                                                              \
		if (counted != MZ_UNCONTROLLED_COUNT) mz_uncontrolled(counted);                                        \
		uintptr_t caller = MZ_CALLER();                                                                        \
		if (is_point) mz_request_point(self, caller);                                                          \
		first;                                                                                                 \
		word r = real(a, b, c, d, e, f);                                                                       \
		then;                                                                                                  \
		return r;                                                                                              \
	}

/* Returns how many bytes it wrote, or -1. */
#define COUNTED(name, address, size)                                                                                   \
	PASSED_ON(name, before(self, address, size, caller), after(self, address, r, caller))
/* Writes all of it unless it returns -1; an int. */
#define FILLED(name, address, size)                                                                                    \
	PASSED_ON(name, before(self, address, size, caller), after(self, address, (int)r < 0 ? 0 : (size), caller))
/* Nobody knows exactly, or it does not matter. */
#define TOUCHED(name, first) PASSED_ON(name, first, (void)0)
/* A vector of `n` memories. */
#define SCATTERED(name, vectors, n)                                                                                    \
	PASSED_ON(name, before_vectors(self, vectors, n, caller), after_vectors(self, vectors, n, r, caller))

/* ---- bytes ---- */

static bool is_interrupted(struct mz_fiber *self, uintptr_t caller)
{
	if (!mz_fails_once(self, MZ_FAULT_READ_EINTR, caller)) return false;
	errno = EINTR;
	return true;
}

static word before_read(struct mz_fiber *self, word to, word size, uintptr_t caller)
{
	if (size > 0) size = (word)mz_fault_shorten(self, MZ_FAULT_READ_SHORT, (size_t)size, caller);
	before(self, to, size, caller);
	return size;
}

PASSED_ON(
    read,
    {
	    if (is_interrupted(self, caller)) return -1;
	    c = before_read(self, b, c, caller);
    },
    after(self, b, r, caller))
COUNTED(__read_chk, b, c)
COUNTED(pread, b, c)
COUNTED(pread64, b, c)
COUNTED(__pread_chk, b, c)
COUNTED(__pread64_chk, b, c)
SCATTERED(readv, b, (int)c)
SCATTERED(preadv, b, (int)c)
SCATTERED(preadv64, b, (int)c)
SCATTERED(preadv2, b, (int)c)
SCATTERED(preadv64v2, b, (int)c)
SCATTERED(process_vm_readv, b, c)
COUNTED(readlink, b, c)
COUNTED(__readlink_chk, b, c)
COUNTED(readlinkat, c, d)
COUNTED(__readlinkat_chk, c, d)
COUNTED(getdents64, b, c)
COUNTED(getxattr, c, d)
COUNTED(lgetxattr, c, d)
COUNTED(fgetxattr, c, d)
COUNTED(listxattr, b, c)
COUNTED(llistxattr, b, c)
COUNTED(flistxattr, b, c)
COUNTED(mq_receive, b, c)
COUNTED(mq_timedreceive, b, c)
COUNTED(msgrcv, b, c + (word)sizeof(word))
TOUCHED(getcwd, touch(a, b))
TOUCHED(__getcwd_chk, touch(a, b))

/* ---- streams: what is longer than their buffers they have read into place ---- */

PASSED_ON(fread, before(self, a, product(b, c), caller), after(self, a, product(b, r), caller))
PASSED_ON(fread_unlocked, before(self, a, product(b, c), caller), after(self, a, product(b, r), caller))
PASSED_ON(__fread_chk, before(self, a, product(c, d), caller), after(self, a, product(c, r), caller))
PASSED_ON(__fread_unlocked_chk, before(self, a, product(c, d), caller), after(self, a, product(c, r), caller))

/* ---- sockets ---- */

static void touch_message(struct mz_fiber *self, word address, uintptr_t caller)
{
	const struct message *message = (const struct message *)address;
	touch(address, MESSAGE);
	touch((word)message->name, message->name_size);
	touch((word)message->control, (word)message->control_size);
	before_vectors(self, (word)message->vectors, (word)message->nvectors, caller);
}

static void after_message(struct mz_fiber *self, word address, word size, uintptr_t caller)
{
	const struct message *message = (const struct message *)address;
	after_vectors(self, (word)message->vectors, (word)message->nvectors, size, caller);
}

struct messages {
	struct message message;
	unsigned length;
};

static void touch_messages(struct mz_fiber *self, word address, word n, uintptr_t caller)
{
	touch(address, n * (word)sizeof(struct messages));
	for (word i = 0; i < n; i++) touch_message(self, address + i * (word)sizeof(struct messages), caller);
}

COUNTED(recv, b, c)
COUNTED(__recv_chk, b, c)
PASSED_ON(recvfrom, (before(self, b, c, caller), touch_sized(e, f)), after(self, b, r, caller))
PASSED_ON(recvmsg, touch_message(self, b, caller), after_message(self, b, r, caller))
TOUCHED(recvmmsg, touch_messages(self, b, (unsigned)c, caller))
TOUCHED(accept, touch_sized(b, c))
TOUCHED(accept4, touch_sized(b, c))
TOUCHED(getsockname, touch_sized(b, c))
TOUCHED(getpeername, touch_sized(b, c))
TOUCHED(getsockopt, touch_sized(d, e))
FILLED(socketpair, d, 8)
FILLED(pipe, a, 8)
FILLED(pipe2, a, 8)
FILLED(eventfd_read, b, 8)

/* ---- waiting for descriptors ---- */

#define POLLED 8   /* struct pollfd */
#define EPOLLED 12 /* struct epoll_event */
#define SELECTED(n) (((n) + 63) / 64 * 8)

static void touch_sets(word n, word reads, word writes, word others)
{
	touch(reads, SELECTED(n));
	touch(writes, SELECTED(n));
	touch(others, SELECTED(n));
}

TOUCHED(poll, touch(a, product(b, POLLED)))
TOUCHED(ppoll, touch(a, product(b, POLLED)))
TOUCHED(__poll_chk, touch(a, product(b, POLLED)))
TOUCHED(__ppoll_chk, touch(a, product(b, POLLED)))
TOUCHED(select, (touch_sets((int)a, b, c, d), touch(e, 16)))
TOUCHED(pselect, touch_sets((int)a, b, c, d))
PASSED_ON(epoll_wait, before(self, b, product((int)c, EPOLLED), caller),
          after(self, b, product((int)r, EPOLLED), caller))
PASSED_ON(epoll_pwait, before(self, b, product((int)c, EPOLLED), caller),
          after(self, b, product((int)r, EPOLLED), caller))
PASSED_ON(epoll_pwait2, before(self, b, product((int)c, EPOLLED), caller),
          after(self, b, product((int)r, EPOLLED), caller))

/* ---- files ---- */

FILLED(stat, b, STAT)
FILLED(lstat, b, STAT)
FILLED(fstat, b, STAT)
FILLED(fstatat, c, STAT)
FILLED(stat64, b, STAT)
FILLED(lstat64, b, STAT)
FILLED(fstat64, b, STAT)
FILLED(fstatat64, c, STAT)
FILLED(__xstat, c, STAT)
FILLED(__lxstat, c, STAT)
FILLED(__fxstat, c, STAT)
FILLED(__fxstatat, d, STAT)
FILLED(statx, e, STATX)
FILLED(statfs, b, STATFS)
FILLED(fstatfs, b, STATFS)
FILLED(statfs64, b, STATFS)
FILLED(fstatfs64, b, STATFS)
TOUCHED(sendfile, touch(c, 8))
TOUCHED(sendfile64, touch(c, 8))
TOUCHED(copy_file_range, (touch(b, 8), touch(d, 8)))
TOUCHED(splice, (touch(b, 8), touch(d, 8)))

/* ---- processes and the system ---- */

TOUCHED(wait, touch(a, 4))
TOUCHED(waitpid, touch(b, 4))
TOUCHED(wait3, (touch(a, 4), touch(c, RUSAGE)))
TOUCHED(wait4, (touch(b, 4), touch(d, RUSAGE)))
TOUCHED(waitid, touch(c, SIGINFO))
FILLED(getrusage, b, RUSAGE)
FILLED(getrlimit, b, 16)
FILLED(getrlimit64, b, 16)
TOUCHED(prlimit, touch(d, 16))
TOUCHED(prlimit64, touch(d, 16))
FILLED(getitimer, b, ITIMERVAL)
TOUCHED(setitimer, touch(c, ITIMERVAL))
FILLED(timer_gettime, b, 32)
TOUCHED(timer_settime, touch(d, 32))
FILLED(timerfd_gettime, b, 32)
TOUCHED(timerfd_settime, touch(d, 32))
FILLED(uname, a, UTSNAME)
FILLED(sysinfo, a, SYSINFO)
TOUCHED(getresuid, (touch(a, 4), touch(b, 4), touch(c, 4)))
TOUCHED(getresgid, (touch(a, 4), touch(b, 4), touch(c, 4)))
TOUCHED(getgroups, touch(b, (int)a * 4))
TOUCHED(sched_getaffinity, touch(c, b))
FILLED(sched_getparam, b, 4)
TOUCHED(sigprocmask, touch(c, SIGSET))
TOUCHED(sigpending, touch(a, SIGSET))
TOUCHED(sigwaitinfo, touch(b, SIGINFO))
TOUCHED(sigtimedwait, touch(b, SIGINFO))
TOUCHED(sigaltstack, touch(b, 24))

/* ---- calls whose arguments mean different things: none is a pointer for sure ---- */

TOUCHED(ioctl, touch(c, UNKNOWN))
TOUCHED(fcntl, touch(c, UNKNOWN))
TOUCHED(fcntl64, touch(c, UNKNOWN))
TOUCHED(prctl, (touch(b, UNKNOWN), touch(c, UNKNOWN), touch(d, UNKNOWN)))

/* By number: a length mostly follows the address it is for. */
MZ_PASSED_ON word mz_entry_syscall(word number, word a, word b, word c, word d, word e, word f);
word mz_entry_syscall(word number, word a, word b, word c, word d, word e, word f)
{
	static word (*real)(word, word, word, word, word, word, word);
	if (MZ_UNLIKELY(!real)) *(void **)&real = mz_real_find("syscall");
	const word arguments[] = {a, b, c, d, e, f, 0};
	if (!MZ_SELF()) return real(number, a, b, c, d, e, f);
	if (number == SYS_futex)
		return mz_futex(mz_current, (uint32_t *)a, (int)b, (uint32_t)c, (const struct timespec *)d, (uint32_t)f,
		                MZ_CALLER());
	for (int i = 0; i < 6; i++) {
		word size = arguments[i + 1];
		touch(arguments[i], size > UNKNOWN && size <= (word)MZ_LAYOUT_HEAP_REGION ? size : UNKNOWN);
	}
	return real(number, a, b, c, d, e, f);
}
