/* SPDX-License-Identifier: MIT
 *
 * Files: what is opened and changed is noted (files.h), and /dev/urandom is virtual. Uses of a file that threads share
 * are visible operations (shared_file.h). Everything else about files is the kernel's.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "base/bug.h"
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/kernel.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Under both names that functions with offsets have; one of them may be a macro for the other in the headers. */

/* ---- opening ---- */

static bool changes(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

static mode_t mode_of(int flags, va_list arguments)
{
	bool given = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
	return given ? va_arg(arguments, mode_t) : 0;
}

static int noted(int fd)
{
	mz_files_opened(fd);
	return fd;
}

/* Returns the use that opening makes of a file. With O_EXCL it is also a read: whether the file exists decides what the
 * call does. */
static unsigned use_of(int flags)
{
	if (flags & O_CREAT) return MZ_FILE_WRITES | (flags & O_EXCL ? MZ_FILE_READS : 0);
	if (flags & O_TRUNC) return MZ_FILE_WRITES;
	return (flags & O_ACCMODE) == O_WRONLY ? 0 : MZ_FILE_READS;
}

static int open_to(int folder, const char *path, int flags, mode_t mode, unsigned use, uintptr_t caller)
{
	struct mz_fiber *self = mz_current;
	if (mz_files_is_random(path)) return noted(mz_chance_file(self));
	bool is_named = (flags & O_TMPFILE) != O_TMPFILE && (folder == AT_FDCWD || *path == '/');
	if (changes(flags) && is_named) mz_files_change(path);
	if (is_named) mz_shared_file_use_name(self, path, use, caller);
	mz_call_begins(self, "open", caller); /* the other end of a pipe with a name may be missing */
	int fd = noted(MZ_REAL(openat)(folder, path, flags, mode));
	mz_call_ends();
	if (is_named || (flags & O_TMPFILE) == O_TMPFILE) mz_shared_file_opened(self, fd, is_named ? path : NULL);
	return fd;
}

static int open_file(int folder, const char *path, int flags, mode_t mode, uintptr_t caller)
{
	return open_to(folder, path, flags, mode, use_of(flags), caller);
}

static bool fails_to_open(uintptr_t caller)
{
	mz_request_point(mz_current, caller);
	if (!mz_fails(mz_current, MZ_FAULT_OPEN, caller)) return false;
	errno = EMFILE;
	return true;
}

#define OPEN(name)                                                                                                     \
	MZ_EXPORT MZ_PASSED_ON int mz_file_##name(const char *path, int flags, ...) __asm__(#name);                    \
	int mz_file_##name(const char *path, int flags, ...)                                                           \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, flags);                                                                            \
		mode_t mode = mode_of(flags, arguments);                                                               \
		va_end(arguments);                                                                                     \
		if (!MZ_SELF()) return MZ_REAL(name)(path, flags, mode);                                               \
		return fails_to_open(MZ_CALLER()) ? -1 : open_file(AT_FDCWD, path, flags, mode, MZ_CALLER());          \
	}
#define OPENAT(name)                                                                                                   \
	MZ_EXPORT MZ_PASSED_ON int mz_file_##name(int folder, const char *path, int flags, ...) __asm__(#name);        \
	int mz_file_##name(int folder, const char *path, int flags, ...)                                               \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, flags);                                                                            \
		mode_t mode = mode_of(flags, arguments);                                                               \
		va_end(arguments);                                                                                     \
		if (!MZ_SELF()) return MZ_REAL(name)(folder, path, flags, mode);                                       \
		return fails_to_open(MZ_CALLER()) ? -1 : open_file(folder, path, flags, mode, MZ_CALLER());            \
	}
#define CREAT(name)                                                                                                    \
	MZ_EXPORT MZ_PASSED_ON int mz_file_##name(const char *path, mode_t mode) __asm__(#name);                       \
	int mz_file_##name(const char *path, mode_t mode)                                                              \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name)(path, mode);                                                      \
		mz_request_point(mz_current, MZ_CALLER());                                                             \
		return open_file(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode, MZ_CALLER());                     \
	}
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
CREAT(creat)
CREAT(creat64)

/* The numbers of channels (descriptor.h) and of files are not interchangeable: each call goes to the side that has the
 * number. */

static int status(int result)
{
	if (result >= 0) return result;
	errno = -result;
	return -1;
}

static int duplicate_to(struct mz_fiber *self, int fd, int to, int flags, uintptr_t caller)
{
	if (mz_descriptor_is_ours(fd)) return status(mz_descriptor_replace(self, fd, to, flags & O_CLOEXEC, caller));
	if (mz_descriptor_end(to)) mz_unsupported("it gives a file the number of a pipe or socket");
	if (mz_files_is_ours(to)) return status(-EBADF);
	mz_files_replace(to);
	int result = noted(flags ? MZ_REAL(dup3)(fd, to, flags) : MZ_REAL(dup2)(fd, to));
	mz_shared_file_duplicated(fd, result);
	return result;
}

MZ_EXPORT MZ_PASSED_ON int dup(int fd)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self) return MZ_REAL(dup)(fd);
	if (!mz_descriptor_is_ours(fd)) {
		int to = noted(MZ_REAL(dup)(fd));
		mz_shared_file_duplicated(fd, to);
		return to;
	}
	return status(mz_descriptor_duplicate(self, fd, 0, false, MZ_CALLER()));
}

MZ_EXPORT MZ_PASSED_ON int dup2(int fd, int to)
{
	return MZ_SELF() ? duplicate_to(mz_current, fd, to, 0, MZ_CALLER()) : MZ_REAL(dup2)(fd, to);
}

MZ_EXPORT MZ_PASSED_ON int dup3(int fd, int to, int flags)
{
	if (!MZ_SELF()) return MZ_REAL(dup3)(fd, to, flags);
	if (fd == to || (flags & ~O_CLOEXEC)) return status(-EINVAL);
	return duplicate_to(mz_current, fd, to, flags, MZ_CALLER());
}

/* ---- temporary files: their names are the same in all executions of a process, and differ between processes ---- */

static int make_temporary(struct mz_fiber *self, char *name, int suffix, int flags, uintptr_t caller)
{
	size_t length = strlen(name);
	char *blank = name + length - (size_t)suffix - 6;
	if (suffix < 0 || length < (size_t)suffix + 6 || MZ_REAL(memcmp)(blank, "XXXXXX", 6) != 0) {
		errno = EINVAL;
		return -1;
	}
	char template[PATH_MAX];
	snprintf(template, sizeof template, "%s", name);
	for (int tries = 0; tries < 100; tries++) {
		mz_chance_name(self, blank);
		mz_shared_file_named(self, name, template);
		int fd = open_to(AT_FDCWD, name, flags | O_RDWR | O_CREAT | O_EXCL, 0600, MZ_FILE_WRITES, caller);
		if (fd >= 0 || errno != EEXIST) return fd;
	}
	return -1;
}

#define TEMPORARY(name, parameters, arguments, suffix, flags)                                                          \
	MZ_EXPORT MZ_PASSED_ON int mz_file_##name parameters __asm__(#name);                                           \
	int mz_file_##name parameters                                                                                  \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name) arguments;                                                        \
		return make_temporary(mz_current, path, suffix, flags, MZ_CALLER());                                   \
	}
TEMPORARY(mkstemp, (char *path), (path), 0, 0)
TEMPORARY(mkstemp64, (char *path), (path), 0, 0)
TEMPORARY(mkostemp, (char *path, int flags), (path, flags), 0, flags)
TEMPORARY(mkostemp64, (char *path, int flags), (path, flags), 0, flags)
TEMPORARY(mkstemps, (char *path, int length), (path, length), length, 0)
TEMPORARY(mkstemps64, (char *path, int length), (path, length), length, 0)

/* ---- streams ---- */

static FILE *noted_stream(FILE *stream)
{
	mz_files_stream_opened(stream);
	return stream;
}

static FILE *opened_stream(struct mz_fiber *self, FILE *stream, const char *path)
{
	if (stream) mz_shared_file_opened(self, fileno_unlocked(stream), path);
	return noted_stream(stream);
}

static unsigned use_of_mode(const char *mode)
{
	return *mode == 'r' ? MZ_FILE_READS : MZ_FILE_WRITES;
}

/* Returns the use that closing makes of a stream: it writes out what is in the buffer, if anything is. */
static unsigned use_of_end(FILE *stream)
{
	return __fpending(stream) ? MZ_FILE_WRITES : 0;
}

static FILE *open_random(struct mz_fiber *self)
{
	int fd = mz_chance_file(self);
	FILE *stream = fd < 0 ? NULL : MZ_REAL(fdopen)(fd, "r");
	if (!stream && fd >= 0) close(fd);
	return stream;
}

static void note_mode(const char *path, const char *mode)
{
	if (*mode != 'r' || strchr(mode, '+')) mz_files_change(path);
}

#define FOPEN(name)                                                                                                    \
	MZ_EXPORT MZ_PASSED_ON FILE *mz_file_##name(const char *path, const char *mode) __asm__(#name);                \
	FILE *mz_file_##name(const char *path, const char *mode)                                                       \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name)(path, mode);                                                      \
		if (mz_fails(mz_current, MZ_FAULT_FOPEN, MZ_CALLER())) {                                               \
			errno = EMFILE;                                                                                \
			return NULL;                                                                                   \
		}                                                                                                      \
		if (mz_files_is_random(path)) return noted_stream(open_random(mz_current));                            \
		note_mode(path, mode);                                                                                 \
		mz_shared_file_use_name(mz_current, path, use_of_mode(mode), MZ_CALLER());                             \
		return opened_stream(mz_current, MZ_REAL(name)(path, mode), path);                                     \
	}
#define FREOPEN(name)                                                                                                  \
	MZ_EXPORT MZ_PASSED_ON FILE *mz_file_##name(const char *path, const char *mode, FILE *stream) __asm__(#name);  \
	FILE *mz_file_##name(const char *path, const char *mode, FILE *stream)                                         \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name)(path, mode, stream);                                              \
		mz_shared_file_use_stream(mz_current, stream, use_of_end(stream), MZ_CALLER());                        \
		mz_files_replace(fileno_unlocked(stream));                                                             \
		if (!path) return MZ_REAL(name)(path, mode, stream);                                                   \
		note_mode(path, mode);                                                                                 \
		mz_shared_file_use_name(mz_current, path, use_of_mode(mode), MZ_CALLER());                             \
		FILE *result = MZ_REAL(name)(path, mode, stream);                                                      \
		if (result) mz_shared_file_opened(mz_current, fileno_unlocked(result), path);                          \
		return result;                                                                                         \
	}
#define TMPFILE(name)                                                                                                  \
	MZ_EXPORT MZ_PASSED_ON FILE *mz_file_##name(void) __asm__(#name);                                              \
	FILE *mz_file_##name(void)                                                                                     \
	{                                                                                                              \
		return MZ_SELF() ? opened_stream(mz_current, MZ_REAL(name)(), NULL) : MZ_REAL(name)();                 \
	}
FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)
TMPFILE(tmpfile)
TMPFILE(tmpfile64)

MZ_EXPORT MZ_PASSED_ON FILE *fdopen(int fd, const char *mode)
{
	if (!MZ_SELF()) return MZ_REAL(fdopen)(fd, mode);
	if (mz_descriptor_is_ours(fd)) mz_unsupported("it makes a stream of a pipe or socket");
	mz_files_replace(fd); /* the descriptor is closed with the stream, before the next execution at the latest */
	return noted_stream(MZ_REAL(fdopen)(fd, mode));
}

MZ_EXPORT MZ_PASSED_ON int fclose(FILE *stream)
{
	if (MZ_SELF()) {
		int fd = fileno_unlocked(stream);
		mz_shared_file_use_stream(mz_current, stream, use_of_end(stream) | MZ_FILE_CLOSES, MZ_CALLER());
		mz_shared_file_closed(fd);
		mz_files_stream_closed(stream);
		if (mz_streams_is_early(stream)) return MZ_REAL(fflush)(stream);
		mz_files_replace(fd);
	}
	return MZ_REAL(fclose)(stream);
}

/* ---- names ---- */

MZ_EXPORT MZ_PASSED_ON int unlink(const char *path)
{
	if (MZ_SELF()) {
		mz_files_change(path);
		mz_shared_file_use_name(mz_current, path, MZ_FILE_WRITES, MZ_CALLER());
	}
	return MZ_REAL(unlink)(path);
}

MZ_EXPORT MZ_PASSED_ON int remove(const char *path)
{
	if (MZ_SELF()) {
		mz_files_change(path);
		mz_shared_file_use_name(mz_current, path, MZ_FILE_WRITES, MZ_CALLER());
	}
	return MZ_REAL(remove)(path);
}

MZ_EXPORT MZ_PASSED_ON int rename(const char *from, const char *to)
{
	if (!MZ_SELF()) return MZ_REAL(rename)(from, to);
	mz_files_change(from);
	mz_files_change(to);
	mz_shared_file_use_name(mz_current, from, MZ_FILE_WRITES, MZ_CALLER());
	mz_shared_file_use_name(mz_current, to, MZ_FILE_WRITES, MZ_CALLER());
	int result = MZ_REAL(rename)(from, to);
	if (result == 0) mz_shared_file_renamed(from, to);
	return result;
}

#define TRUNCATE(name)                                                                                                 \
	MZ_EXPORT MZ_PASSED_ON int mz_file_##name(const char *path, off_t size) __asm__(#name);                        \
	int mz_file_##name(const char *path, off_t size)                                                               \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name)(path, size);                                                      \
		mz_files_change(path);                                                                                 \
		mz_shared_file_use_name(mz_current, path, MZ_FILE_WRITES, MZ_CALLER());                                \
		return MZ_REAL(name)(path, size);                                                                      \
	}
TRUNCATE(truncate)
TRUNCATE(truncate64)

#define FTRUNCATE(name)                                                                                                \
	MZ_EXPORT MZ_PASSED_ON int mz_file_##name(int fd, off_t size) __asm__(#name);                                  \
	int mz_file_##name(int fd, off_t size)                                                                         \
	{                                                                                                              \
		if (MZ_SELF()) mz_shared_file_use(mz_current, fd, MZ_FILE_WRITES, MZ_CALLER());                        \
		return MZ_REAL(name)(fd, size);                                                                        \
	}
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

MZ_EXPORT MZ_PASSED_ON int access(const char *path, int mode)
{
	if (MZ_SELF()) mz_shared_file_use_name(mz_current, path, MZ_FILE_READS, MZ_CALLER());
	return MZ_REAL(access)(path, mode);
}

/* ---- writing ---- */

static void sends(struct mz_fiber *self, const void *from, size_t size, int fd, uintptr_t caller)
{
	mz_plain_output(self, (uintptr_t)from, size, fd, caller);
}

ssize_t mz_file_write(struct mz_fiber *self, int fd, const void *from, size_t size, uintptr_t caller)
{
	if (!self) return MZ_REAL(write)(fd, from, size);
	mz_request_point(self, caller);
	if (mz_fails_once(self, MZ_FAULT_WRITE_EINTR, caller)) {
		errno = EINTR;
		return -1;
	}
	size = mz_fault_shorten(self, MZ_FAULT_WRITE_SHORT, size, caller);
	sends(self, from, size, fd, caller);
	mz_said_to(fd, from, size);
	mz_files_moved(fd);
	mz_shared_file_use(self, fd, MZ_FILE_WRITES | MZ_FILE_MOVES, caller);
	mz_call_begins(self, "write", caller);
	ssize_t result = MZ_REAL(write)(fd, from, size);
	mz_call_ends();
	return result;
}

#define PWRITE(name)                                                                                                   \
	MZ_EXPORT MZ_PASSED_ON ssize_t mz_file_##name(int fd, const void *from, size_t size, off_t at) __asm__(#name); \
	ssize_t mz_file_##name(int fd, const void *from, size_t size, off_t at)                                        \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name)(fd, from, size, at);                                              \
		mz_request_point(mz_current, MZ_CALLER());                                                             \
		sends(mz_current, from, size, fd, MZ_CALLER());                                                        \
		mz_shared_file_use(mz_current, fd, MZ_FILE_WRITES, MZ_CALLER());                                       \
		return MZ_REAL(name)(fd, from, size, at);                                                              \
	}
PWRITE(pwrite)
PWRITE(pwrite64)

MZ_EXPORT MZ_PASSED_ON size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
	if (MZ_SELF()) {
		sends(mz_current, from, size * count, fileno_unlocked(stream), MZ_CALLER());
		mz_shared_file_use_stream(mz_current, stream, mz_stream_writes(stream, size * count), MZ_CALLER());
	}
	mz_said(stream, from, size * count);
	return MZ_REAL(fwrite)(from, size, count, stream);
}
