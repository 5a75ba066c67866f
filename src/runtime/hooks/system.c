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
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/kernel.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <linux/fcntl.h>
#include <linux/membarrier.h>
#include <linux/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>

typedef long word;
typedef word passed_on(word, word, word, word, word, word);

/* The sizes of structures that the kernel fills in, on this machine or larger: counting too many bytes as written does
 * no harm. */
#define STAT 144
#define STATX 256
#define STATFS 120
#define SYSINFO 112
#define ITIMERVAL 32
#define RUSAGE 144
#define SIGINFO 128
#define UTSNAME 390
#define MESSAGE 56
#define FIONREAD 0x541b /* of ioctl, which no header included here has */
#define F_LOCK 1        /* of lockf, which no header included here has */
#define UNKNOWN 4096    /* what a call of no fixed meaning may write through a pointer */

struct vector {
	void *base;
	size_t length;
};

/* As in struct msghdr. */
struct socket_message {
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

/* Returns a product; 0 if it is too large to be a length. */
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

/* Prepares for a call that writes a socket address: the caller says how long it may be, and is told how long it is. */
static void touch_sized(word address, word size)
{
	if (!address || !size) return;
	touch(size, sizeof(uint32_t));
	touch(address, *(const uint32_t *)size);
}

/* Defines what is done for `name`: it does `first`, calls the real function, and does `then` with the result `r`.
 * `self` is the thread, or NULL. */
#define KERNEL(name, first, then)                                                                                      \
	word mz_system_##name(struct mz_fiber *self, uintptr_t caller, word a, word b, word c, word d, word e, word f) \
	{                                                                                                              \
		static passed_on *real;                                                                                \
		static enum mz_uncontrolled counted;                                                                   \
		static bool is_point;                                                                                  \
		if (MZ_UNLIKELY(!real)) {                                                                              \
			is_point = mz_request_is_point(#name);                                                         \
			counted = mz_uncontrolled_find(#name);                                                         \
			real = (passed_on *)mz_real_find(#name);                                                       \
		}                                                                                                      \
		if (!self) return real(a, b, c, d, e, f);                                                              \
		if (is_point) mz_request_point(self, caller);                                                          \
		first;                                                                                                 \
		if (counted != MZ_UNCONTROLLED_COUNT) mz_uncontrolled(counted);                                        \
		mz_call_begins(self, #name, caller);                                                                   \
		word r = real(a, b, c, d, e, f);                                                                       \
		mz_call_ends();                                                                                        \
		then;                                                                                                  \
		return r;                                                                                              \
	}

/* Defines the same, and the function that replaces `name`. */
#define PASSED_ON(name, first, then)                                                                                   \
	static KERNEL(name, first, then) MZ_EXPORT MZ_PASSED_ON word mz_replaced_##name(                               \
	    word a, word b, word c, word d, word e, word f) __asm__(#name);                                            \
	word mz_replaced_##name(word a, word b, word c, word d, word e, word f)                                        \
	{                                                                                                              \
		return mz_system_##name(MZ_SELF(), MZ_CALLER(), a, b, c, d, e, f);                                     \
	}

/* A function that returns how many bytes it wrote, or -1. */
#define COUNTED(name, address, size)                                                                                   \
	PASSED_ON(name, before(self, address, size, caller), after(self, address, r, caller))
/* A function that writes all bytes unless it returns -1, as an int. */
#define FILLED(name, address, size)                                                                                    \
	PASSED_ON(name, before(self, address, size, caller), after(self, address, (int)r < 0 ? 0 : (size), caller))
/* A function of which it is not known exactly what it writes, or does not matter. */
#define TOUCHED(name, first) PASSED_ON(name, first, (void)0)
/* A function that writes to a vector of `n` parts. */
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

KERNEL(
    read,
    {
	    if (is_interrupted(self, caller)) return -1;
	    c = before_read(self, b, c, caller);
	    mz_shared_file_use(self, (int)a, MZ_FILE_READS | MZ_FILE_MOVES, caller);
    },
    after(self, b, r, caller))
#define READ_AT(name)                                                                                                  \
	PASSED_ON(name, (before(self, b, c, caller), mz_shared_file_use(self, (int)a, MZ_FILE_READS, caller)),         \
	          (after(self, b, r, caller), mz_stdin_read_at((int)a, (void *)b, (size_t)c, r, d, caller)))
#define READ_VECTORS_AT(name)                                                                                          \
	PASSED_ON(name,                                                                                                \
	          (before_vectors(self, b, (int)c, caller), mz_shared_file_use(self, (int)a, MZ_FILE_READS, caller)),  \
	          (after_vectors(self, b, (int)c, r, caller),                                                          \
	           mz_stdin_read_vectors_at((int)a, (const struct iovec *)b, (int)c, r, d, caller)))
READ_AT(pread)
READ_AT(pread64)
READ_AT(__pread_chk)
READ_AT(__pread64_chk)
KERNEL(readv,
       (before_vectors(self, b, (int)c, caller),
        mz_shared_file_use(self, (int)a, MZ_FILE_READS | MZ_FILE_MOVES, caller)),
       after_vectors(self, b, (int)c, r, caller))
READ_VECTORS_AT(preadv)
READ_VECTORS_AT(preadv64)
READ_VECTORS_AT(preadv2)
READ_VECTORS_AT(preadv64v2)
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

static void use_stream(struct mz_fiber *self, word stream, uintptr_t caller)
{
	mz_shared_file_use_stream(self, (FILE *)stream, MZ_FILE_READS, caller);
	mz_stdin_start_stream((FILE *)stream);
}

static void after_stream(struct mz_fiber *self, word to, word asked, word size, word stream, uintptr_t caller)
{
	after(self, to, size, caller);
	mz_stdin_read_stream((FILE *)stream, (void *)to, (size_t)asked, caller);
}

/* ---- streams: what is longer than their buffers they have read into place ---- */

PASSED_ON(fread, (before(self, a, product(b, c), caller), use_stream(self, d, caller)),
          after_stream(self, a, product(b, c), product(b, r), d, caller))
PASSED_ON(fread_unlocked, (before(self, a, product(b, c), caller), use_stream(self, d, caller)),
          after_stream(self, a, product(b, c), product(b, r), d, caller))
PASSED_ON(__fread_chk, (before(self, a, product(c, d), caller), use_stream(self, e, caller)),
          after_stream(self, a, product(c, d), product(c, r), e, caller))
PASSED_ON(__fread_unlocked_chk, (before(self, a, product(c, d), caller), use_stream(self, e, caller)),
          after_stream(self, a, product(c, d), product(c, r), e, caller))

/* ---- sockets ---- */

static void touch_message(struct mz_fiber *self, word address, uintptr_t caller)
{
	const struct socket_message *message = (const struct socket_message *)address;
	touch(address, MESSAGE);
	touch((word)message->name, message->name_size);
	touch((word)message->control, (word)message->control_size);
	before_vectors(self, (word)message->vectors, (word)message->nvectors, caller);
}

static void after_message(struct mz_fiber *self, word address, word size, uintptr_t caller)
{
	const struct socket_message *message = (const struct socket_message *)address;
	after_vectors(self, (word)message->vectors, (word)message->nvectors, size, caller);
}

struct messages {
	struct socket_message message;
	unsigned length;
};

static void touch_messages(struct mz_fiber *self, word address, word n, uintptr_t caller)
{
	touch(address, n * (word)sizeof(struct messages));
	for (word i = 0; i < n; i++) touch_message(self, address + i * (word)sizeof(struct messages), caller);
}

static word set_option(struct mz_fiber *self, int number, int level, int name, word value, word size, uintptr_t caller)
{
	const struct mz_socket_option option = {level, name, (void *)value, (socklen_t)size};
	int error = mz_socket_option_set(self, number, &option, caller);
	if (error) errno = error;
	return error ? -1 : 0;
}

static word get_option(struct mz_fiber *self, int number, int level, int name, word value, word size, uintptr_t caller)
{
	uint8_t got[64];
	socklen_t *length = (socklen_t *)size;
	struct mz_socket_option option = {level, name, got, *length < sizeof got ? *length : sizeof got};
	int error = mz_socket_option_get(self, number, &option, caller);
	if (error) errno = error;
	if (error) return -1;
	mz_plain_result(self, (void *)value, got, option.size, caller);
	MZ_RESULT(self, length, option.size, caller);
	return 0;
}

KERNEL(recv, before(self, b, c, caller), after(self, b, r, caller))
KERNEL(recvfrom, (before(self, b, c, caller), touch_sized(e, f)), after(self, b, r, caller))
KERNEL(recvmsg, touch_message(self, b, caller), after_message(self, b, r, caller))
KERNEL(sendto, (void)0, (void)0)
KERNEL(sendmsg, (void)0, (void)0)
TOUCHED(recvmmsg, touch_messages(self, b, (unsigned)c, caller))
TOUCHED(accept, touch_sized(b, c))
TOUCHED(accept4, touch_sized(b, c))
TOUCHED(getsockname, touch_sized(b, c))
TOUCHED(getpeername, touch_sized(b, c))
PASSED_ON(
    getsockopt,
    {
	    if (mz_descriptor_is_ours((int)a)) return get_option(self, (int)a, (int)b, (int)c, d, e, caller);
	    touch_sized(d, e);
    },
    (void)0)
PASSED_ON(setsockopt, if (mz_descriptor_is_ours((int)a)) return set_option(self, (int)a, (int)b, (int)c, d, e, caller),
          (void)0)
KERNEL(socketpair, before(self, d, 8, caller), after(self, d, (int)r < 0 ? 0 : 8, caller))

/* ---- waiting for descriptors ---- */

#define POLLED 8 /* size of a struct pollfd */
#define SELECTED(n) (((n) + 63) / 64 * 8)

static void touch_sets(word n, word reads, word writes, word others)
{
	touch(reads, SELECTED(n));
	touch(writes, SELECTED(n));
	touch(others, SELECTED(n));
}

KERNEL(poll, touch(a, product(b, POLLED)), (void)0)
KERNEL(ppoll, touch(a, product(b, POLLED)), (void)0)
KERNEL(select, (touch_sets((int)a, b, c, d), touch(e, 16)), (void)0)
KERNEL(pselect, touch_sets((int)a, b, c, d), (void)0)

/* ---- files ---- */

/* Tells that the program is told of the file of a name: of its size, for one. */
static void look_at(word folder, word path, uintptr_t caller)
{
	if (MZ_UNLIKELY(__mz_sym_active)) mz_follow_looked_name((int)folder, (const char *)path, caller);
}

/* Tells what the program was told of a file: `to`, of `size` bytes. */
static void told_status(struct mz_fiber *self, word to, word size, uintptr_t caller)
{
	after(self, to, size, caller);
	if (MZ_LIKELY(!__mz_sym_active)) return;
	if (size == STAT) mz_stdin_status((struct stat *)to, caller);
	if (size == STATX) mz_stdin_status_x((const struct statx *)to, caller);
}

#define STATUS_OF(name)                                                                                                \
	PASSED_ON(name,                                                                                                \
	          (before(self, b, STAT, caller), look_at(AT_FDCWD, a, caller),                                        \
	           mz_shared_file_use_name(self, (const char *)a, MZ_FILE_READS, caller)),                             \
	          told_status(self, b, (int)r < 0 ? 0 : STAT, caller))
STATUS_OF(stat)
STATUS_OF(lstat)
#define STATUS(name, number, to)                                                                                       \
	PASSED_ON(                                                                                                     \
	    name,                                                                                                      \
	    {                                                                                                          \
		    before(self, to, STAT, caller);                                                                    \
		    if (mz_channel_status(self, (int)(number), (void *)(to), caller)) return 0;                        \
		    mz_shared_file_use(self, (int)(number), MZ_FILE_READS, caller);                                    \
	    },                                                                                                         \
	    told_status(self, to, (int)r < 0 ? 0 : STAT, caller))
STATUS(fstat, a, b)
#define STATUS_IN(name, folder, path, to, size)                                                                        \
	PASSED_ON(name, (before(self, to, size, caller), look_at(folder, path, caller)),                               \
	          told_status(self, to, (int)r < 0 ? 0 : (size), caller))
STATUS_IN(fstatat, a, b, c, STAT)
STATUS_OF(stat64)
STATUS_OF(lstat64)
STATUS(fstat64, a, b)
STATUS_IN(fstatat64, a, b, c, STAT)
STATUS_IN(__xstat, AT_FDCWD, b, c, STAT)
STATUS_IN(__lxstat, AT_FDCWD, b, c, STAT)
STATUS(__fxstat, b, c)
STATUS_IN(__fxstatat, b, c, d, STAT)
STATUS_IN(statx, a, b, e, STATX)
FILLED(statfs, b, STATFS)
FILLED(fstatfs, b, STATFS)
FILLED(statfs64, b, STATFS)
FILLED(fstatfs64, b, STATFS)
#define SEEK(name)                                                                                                     \
	PASSED_ON(                                                                                                     \
	    name,                                                                                                      \
	    {                                                                                                          \
		    if (mz_descriptor_is_ours((int)a)) {                                                               \
			    errno = ESPIPE;                                                                            \
			    return -1;                                                                                 \
		    }                                                                                                  \
		    unsigned use = c == SEEK_END ? MZ_FILE_READS | MZ_FILE_MOVES : MZ_FILE_MOVES;                      \
		    mz_shared_file_use(self, (int)a, use, caller);                                                     \
	    },                                                                                                         \
	    mz_stdin_sought((int)a, b, (int)c, r, caller))
SEEK(lseek)
SEEK(lseek64)
static void use_two(struct mz_fiber *self, word from, word to, const char *name, uintptr_t caller)
{
	mz_stdin_lose_all((int)from, name, caller);
	mz_shared_file_use(self, (int)from, MZ_FILE_READS | MZ_FILE_MOVES, caller);
	mz_shared_file_use(self, (int)to, MZ_FILE_WRITES | MZ_FILE_MOVES, caller);
}
TOUCHED(sendfile, (touch(c, 8), use_two(self, b, a, "sendfile", caller)))
TOUCHED(sendfile64, (touch(c, 8), use_two(self, b, a, "sendfile", caller)))
TOUCHED(copy_file_range, (touch(b, 8), touch(d, 8), use_two(self, a, c, "copy_file_range", caller)))
TOUCHED(splice, (touch(b, 8), touch(d, 8), mz_stdin_lose_all((int)a, "splice", caller)))

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
FILLED(uname, a, UTSNAME)
FILLED(sysinfo, a, SYSINFO)
TOUCHED(getresuid, (touch(a, 4), touch(b, 4), touch(c, 4)))
TOUCHED(getresgid, (touch(a, 4), touch(b, 4), touch(c, 4)))
TOUCHED(getgroups, touch(b, (int)a * 4))

/* ---- calls that may take long, and so are cancellation points (point.c) ---- */

TOUCHED(fsync, (void)0)
TOUCHED(fdatasync, (void)0)
TOUCHED(msync, (void)0)
TOUCHED(tcdrain, (void)0)
TOUCHED(aio_suspend, (void)0)

static void before_lock(struct mz_fiber *self, bool waits, uintptr_t caller)
{
	if (waits) mz_request_point(self, caller);
}
TOUCHED(lockf, before_lock(self, b == F_LOCK, caller))

/* ---- calls whose arguments mean different things: none is a pointer for sure ---- */

/* Defines ioctl or fcntl: calls on channels go to `on_channel`; a call that `waits` is a cancellation point. */
static void controlled(word fd, word request, uintptr_t caller)
{
	if (request == FIONREAD) mz_stdin_asked((int)fd, caller);
}

#define CONTROL(name, on_channel, is_duplication, waits)                                                               \
	PASSED_ON(                                                                                                     \
	    name,                                                                                                      \
	    {                                                                                                          \
		    if (mz_descriptor_is_ours((int)a)) return on_channel(self, (int)a, (unsigned)b, c, caller);        \
		    before_lock(self, waits, caller);                                                                  \
		    touch(c, UNKNOWN);                                                                                 \
	    },                                                                                                         \
	    if (is_duplication) mz_shared_file_duplicated((int)a, (int)r);                                             \
	    controlled(a, b, caller))
#define DUPLICATES (b == F_DUPFD || b == F_DUPFD_CLOEXEC)
#define WAITS_FOR_LOCK (b == F_SETLKW || b == F_OFD_SETLKW)
CONTROL(ioctl, mz_channel_ioctl, false, false)
CONTROL(fcntl, mz_channel_fcntl, DUPLICATES, WAITS_FOR_LOCK)
CONTROL(fcntl64, mz_channel_fcntl, DUPLICATES, WAITS_FOR_LOCK)
/* Names of threads are those of pthread_setname_np. */
static word set_name(struct mz_fiber *self, const char *name, uintptr_t caller)
{
	mz_plain(self, (uintptr_t)name, MZ_REAL(strnlen)(name, MZ_NAME_OF_THREAD - 1) + 1, false, caller);
	mz_settings_set_name(self, name);
	return 0;
}

static word get_name(struct mz_fiber *self, char *name, uintptr_t caller)
{
	char told[MZ_NAME_OF_THREAD];
	mz_settings_get_name(self, told);
	mz_plain_result(self, name, told, sizeof told, caller);
	return 0;
}

TOUCHED(prctl, {
	touch(b, UNKNOWN);
	touch(c, UNKNOWN);
	touch(d, UNKNOWN);
	if (a == PR_SET_NAME) return set_name(self, (const char *)b, caller);
	if (a == PR_GET_NAME) return get_name(self, (char *)b, caller);
})

/* ---- by number ---- */

/* Reports whether a system call changes nothing, and tells only the identity of the thread or process. */
static bool is_harmless(word number)
{
	switch (number) {
	case SYS_getpid:
	case SYS_getppid:
	case SYS_gettid:
	case SYS_getuid:
	case SYS_geteuid:
	case SYS_getgid:
	case SYS_getegid:
	case SYS_getcpu:
	case SYS_sched_getaffinity: return true;
	default: return false;
	}
}

/* Returns the name of a system call that would fork the exploring process, replace it, or change behind our back what
 * belongs to the threads of the program; NULL for all others. */
static const char *refused_name(word number)
{
	switch (number) {
	case SYS_fork: return "fork";
	case SYS_vfork: return "vfork";
	case SYS_clone: return "clone";
	case SYS_clone3: return "clone3";
	case SYS_execve: return "execve";
	case SYS_execveat: return "execveat";
	case SYS_exit: return "exit";
	case SYS_kill: return "kill";
	case SYS_tkill: return "tkill";
	case SYS_tgkill: return "tgkill";
	case SYS_rt_sigaction: return "rt_sigaction";
	case SYS_rt_sigprocmask: return "rt_sigprocmask";
	case SYS_rt_sigqueueinfo: return "rt_sigqueueinfo";
	case SYS_rt_sigreturn: return "rt_sigreturn";
	case SYS_rt_tgsigqueueinfo: return "rt_tgsigqueueinfo";
	case SYS_sigaltstack: return "sigaltstack";
	case SYS_signalfd: return "signalfd";
	case SYS_signalfd4: return "signalfd4";
	default: return NULL;
	}
}

static void refuse(word number)
{
	char why[128];
	const char *name = refused_name(number);
	if (!name) return;
	snprintf(why, sizeof why, "it calls %s by its number (syscall), which is not modelled", name);
	mz_unsupported(why);
}

/* The kernel says which commands there are. One that is a barrier has every thread that runs make a full one. */
static word barrier_of_all(struct mz_fiber *self, word command, word flags, word processor)
{
	static word (*real)(word, word, word, word);
	if (!real) *(void **)&real = mz_real_find("syscall");
	word result = real(SYS_membarrier, command, flags, processor);
	const word barriers = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
	                      MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE |
	                      MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ;
	if (result == 0 && (command & barriers)) mz_race_order_all(self);
	return result;
}

/* Passes a system call on, with its arguments taken for addresses: a length mostly follows its address. */
MZ_PASSED_ON word mz_entry_syscall(word number, word a, word b, word c, word d, word e, word f);
word mz_entry_syscall(word number, word a, word b, word c, word d, word e, word f)
{
	static word (*real)(word, word, word, word, word, word, word);
	if (MZ_UNLIKELY(!real)) *(void **)&real = mz_real_find("syscall");
	const word arguments[] = {a, b, c, d, e, f, 0};
	if (!MZ_SELF()) return real(number, a, b, c, d, e, f);
	const struct mz_futex_call futex = {(uint32_t *)a, (int)b,     (uint32_t)c, (const struct timespec *)d,
	                                    (uint32_t *)e, (uint32_t)f};
	switch (number) {
	case SYS_futex: return mz_futex(mz_current, &futex, MZ_CALLER());
	case SYS_getrandom: return mz_chance_get(mz_current, (void *)a, (size_t)b, (unsigned)c, MZ_CALLER());
	case SYS_membarrier: return barrier_of_all(mz_current, a, b, c);
	case SYS_sched_yield: mz_yield_now(mz_current, MZ_CALLER()); return 0;
	case SYS_exit_group: mz_exit_program(mz_current, (int)a, MZ_EXIT_NOW, MZ_CALLER());
	default: refuse(number);
	}
	if (!is_harmless(number)) mz_uncontrolled(MZ_UNCONTROLLED_syscall);
	for (int i = 0; i < 6; i++) {
		word size = arguments[i + 1];
		touch(arguments[i], size > UNKNOWN && size <= (word)MZ_LAYOUT_HEAP_REGION ? size : UNKNOWN);
	}
	char name[24];
	snprintf(name, sizeof name, "system call %ld", number);
	mz_call_begins(mz_current, name, MZ_CALLER());
	word result = real(number, a, b, c, d, e, f);
	mz_call_ends();
	return result;
}
