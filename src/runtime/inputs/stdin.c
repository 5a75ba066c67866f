/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/stdin.h"
#include "runtime/inputs/ahead.h"
#include "runtime/inputs/back.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/path.h"
#include "runtime/inputs/settle.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/symbolic.h"
#include "runtime/inputs/values.h"
#include <errno.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct {
	uint32_t size;  /* the most bytes that there are; 0: standard input is no input */
	uint32_t first; /* its first byte among those of all inputs */
	/* how many bytes there are is an input of its own: its first byte among all, and how many it has */
	uint32_t length_first, length_size;
	/* where the stream was that is being read, and its descriptor; whether the stream had bytes left to give */
	off_t start, position;
	bool had_bytes;
	dev_t device; /* the file in memory */
	ino_t inode;
} given;

void mz_stdin_start(void)
{
	struct stat status;
	uint32_t size = mz_rt.session->configuration.symbolic_stdin;
	if (!size) return;
	int fd = memfd_create("stdin", 0);
	if (fd < 0 || ftruncate(fd, size) != 0 || MZ_REAL(fstat)(fd, &status) != 0 || (fd != 0 && dup2(fd, 0) != 0))
		mz_unsupported("there is no memory for standard input");
	if (fd != 0) MZ_REAL(close)(fd);
	given.size = size;
	given.length_size = size < 256 ? 1 : 2;
	given.device = status.st_dev;
	given.inode = status.st_ino;
}

static uint32_t length_of(const uint8_t *bytes)
{
	uint32_t length = given.length_size == 1 ? bytes[0] : bytes[0] | (uint32_t)bytes[1] << 8;
	return length < given.size ? length : given.size;
}

void mz_stdin_begin(struct mz_fiber *self)
{
	(void)self;
	if (!given.size) return;
	const uint8_t *bytes = mz_input_provide(MZ_INPUT_STDIN, given.size, "stdin", &given.first);
	uint32_t length =
	    length_of(mz_input_provide(MZ_INPUT_LENGTH, given.length_size, "stdin_length", &given.length_first));
	if (ftruncate(0, length) != 0 || pwrite(0, bytes, length, 0) != (ssize_t)length)
		mz_unsupported("standard input cannot be filled");
}

static bool is_of_given(const struct stat *status)
{
	return status->st_dev == given.device && status->st_ino == given.inode;
}

/* Reports whether a descriptor still is the file in memory. */
static bool is_given(int fd)
{
	struct stat status;
	int error = errno;
	bool is = given.size && fd >= 0 && MZ_REAL(fstat)(fd, &status) == 0 && is_of_given(&status);
	errno = error;
	return is;
}

static off_t position_of(int fd)
{
	return MZ_REAL(lseek)(fd, 0, SEEK_CUR);
}

static void set_shadows(uintptr_t to, size_t size, off_t start)
{
	mz_follow_stored(to);
	uint64_t first = given.first + (uint64_t)start;
	for (size_t i = 0; i < size; i++) mz_shadow_set(to + i, mz_inputs_make(MZ_OPERATOR_INPUT, 8, 0, 0, first + i));
}

/* Returns the expression of the length. */
static uint32_t length_expression(void)
{
	uint32_t low = mz_inputs_make(MZ_OPERATOR_INPUT, 8, 0, 0, given.length_first);
	if (given.length_size == 1) return low;
	return mz_inputs_make(MZ_OPERATOR_CONCAT, 16,
	                      mz_inputs_make(MZ_OPERATOR_INPUT, 8, 0, 0, given.length_first + 1), low, 0);
}

/* Returns the expression of how many bytes there are: the length, and no more than the most. */
static uint32_t count_expression(void)
{
	unsigned width = 8 * given.length_size;
	uint32_t length = length_expression(), most = mz_inputs_constant(width, given.size);
	return mz_inputs_choose(width, mz_inputs_make(MZ_OPERATOR_ULT, 1, length, most, 0), length, most);
}

/* Makes each number of bytes that there can be a path of its own. */
static void settle_count(uintptr_t caller)
{
	if (!mz_inputs_space) return;
	mz_path_go_first(mz_current, true);
	mz_settle(mz_current, count_expression(), caller);
	mz_path_go_first(mz_current, false);
}

/* Branches on whether there is a byte at each of the places from `start` to `end`, up to the first one where there is
 * none: so executions that read fewer bytes begin with the same branches. */
static void branch_on_end(off_t start, off_t end, uintptr_t caller)
{
	unsigned width = 8 * given.length_size;
	uint32_t length = length_expression();
	for (off_t at = start; at < end && at < (off_t)given.size; at++) {
		uint32_t condition =
		    mz_inputs_make(MZ_OPERATOR_ULT, 1, mz_inputs_constant(width, (uint64_t)at), length, 0);
		bool is_there = mz_inputs_value(condition);
		mz_path_branch(mz_current, condition, is_there, caller);
		if (!is_there) break;
	}
}

/* Where a read ends, and another begins, depends on how many bytes there are: no other thread goes on before that is
 * decided. Deals with `read` bytes of `asked`, from the byte `start` on. */
static void take(uintptr_t to, size_t asked, size_t read, off_t start, uintptr_t caller)
{
	if (!mz_inputs_space || start < 0 || start + (off_t)read > (off_t)given.size) return;
	set_shadows(to, read, start);
	mz_path_go_first(mz_current, true);
	branch_on_end(start, start + (off_t)asked, caller);
	mz_path_go_first(mz_current, false);
}

/* Reports whether anything is to be said of a read that follows what a stream has read ahead. */
static bool is_known(enum mz_ahead ahead, uintptr_t caller)
{
	if (ahead == MZ_AHEAD_UNKNOWN && mz_inputs_space)
		mz_inputs_lose(MZ_SYM_LOST_OTHER, "standard input that is read in two ways", mz_lost_place(caller));
	return ahead == MZ_AHEAD_NOT || ahead == MZ_AHEAD_SOMEWHERE;
}

/* The same, and decides where the read begins. */
static bool begin(enum mz_ahead ahead, uintptr_t caller)
{
	if (ahead == MZ_AHEAD_SOMEWHERE) settle_count(caller);
	return is_known(ahead, caller);
}

void mz_stdin_put_back(FILE *stream)
{
	if (mz_stdin_is(stream)) mz_back_put(MZ_REAL(ftello)(stream) - 1);
}

/* ---- what the program reads ---- */

void mz_stdin_read(int fd, const void *to, size_t asked, ssize_t read, uintptr_t caller)
{
	if (!given.size || read < 0 || !is_given(fd)) return;
	off_t start = position_of(fd) - read;
	if (begin(mz_ahead_at(start), caller)) take((uintptr_t)to, asked, (size_t)read, start, caller);
}

void mz_stdin_read_at(int fd, const void *to, size_t asked, ssize_t read, off_t start, uintptr_t caller)
{
	if (given.size && read >= 0 && is_given(fd)) take((uintptr_t)to, asked, (size_t)read, start, caller);
}

static void read_vectors(const struct iovec *vectors, int n, ssize_t read, off_t start, uintptr_t caller)
{
	for (int i = 0; i < n && start >= 0 && read >= 0; i++) {
		size_t room = vectors[i].iov_len, here = (size_t)read < room ? (size_t)read : room;
		take((uintptr_t)vectors[i].iov_base, room, here, start, caller);
		start += (off_t)here;
		read = here < room ? -1 : read - (ssize_t)here;
	}
}

void mz_stdin_read_vectors(int fd, const struct iovec *vectors, int n, ssize_t read, uintptr_t caller)
{
	if (!given.size || read < 0 || !is_given(fd)) return;
	off_t start = position_of(fd) - read;
	if (begin(mz_ahead_at(start), caller)) read_vectors(vectors, n, read, start, caller);
}

void mz_stdin_read_vectors_at(int fd, const struct iovec *vectors, int n, ssize_t read, off_t start, uintptr_t caller)
{
	if (!given.size || !is_given(fd)) return;
	if (start < 0)
		mz_stdin_read_vectors(fd, vectors, n, read, caller);
	else
		read_vectors(vectors, n, read, start, caller);
}

/* ---- streams ---- */

void mz_stdin_start_stream(FILE *stream)
{
	if (!given.size || !is_given(fileno(stream))) return;
	given.start = MZ_REAL(ftello)(stream);
	given.position = position_of(fileno(stream));
	given.had_bytes = stream->_IO_read_ptr < stream->_IO_read_end;
}

/* Notes how far the stream has read ahead. A buffer that takes everything is filled with everything. */
static void note_ahead(FILE *stream)
{
	off_t now = position_of(fileno(stream));
	size_t room = __fbufsize(stream);
	if (now != given.position && room > 1) mz_ahead_read(stream, now, room >= given.size);
}

void mz_stdin_read_stream(FILE *stream, const void *to, size_t asked, uintptr_t caller)
{
	if (!given.size || !asked || !is_given(fileno(stream))) return;
	off_t start = given.start, end = MZ_REAL(ftello)(stream);
	enum mz_ahead ahead = mz_ahead_in(stream, given.had_bytes, given.position);
	note_ahead(stream);
	if (end < start || !mz_inputs_space || !begin(ahead, caller)) return;
	size_t read = (size_t)(end - start), again = mz_back_take((uintptr_t)to, read, start);
	take((uintptr_t)to + again, asked - again, read - again, start + (off_t)again, caller);
}

#define NOWHERE (-1)      /* the byte is there whatever standard input has, or not */
#define SETTLED (1 << 30) /* how many bytes there are is to be decided first */

int mz_stdin_took(FILE *stream, const void *to, bool found, uintptr_t caller)
{
	if (!given.size || !is_given(fileno(stream))) return NOWHERE;
	enum mz_ahead ahead = mz_ahead_in(stream, given.had_bytes, given.position);
	note_ahead(stream);
	mz_follow_stored((uintptr_t)to);
	mz_shadow_set((uintptr_t)to, 0);
	mz_path_go_first(mz_current, true);
	if (!mz_inputs_space || given.start < 0 || !is_known(ahead, caller)) return NOWHERE;
	if (found && mz_back_take((uintptr_t)to, 1, given.start)) return NOWHERE;
	if (found && given.start < (off_t)given.size) set_shadows((uintptr_t)to, 1, given.start);
	return (int)given.start | (ahead == MZ_AHEAD_SOMEWHERE ? SETTLED : 0);
}

void mz_stdin_there(int at, uintptr_t caller)
{
	if (at < 0 || !mz_inputs_space) return;
	if (at & SETTLED) settle_count(caller);
	at &= ~SETTLED;
	mz_path_go_first(mz_current, true);
	branch_on_end(at, at + 1, caller);
}

bool mz_stdin_is(FILE *stream)
{
	return given.size && (mz_inputs_space || mz_rt.mode.replaying) && is_given(fileno(stream));
}

void mz_stdin_lose(FILE *stream, const char *function, uintptr_t caller)
{
	if (given.size && mz_inputs_space && mz_current && is_given(fileno(stream)))
		mz_inputs_lose(MZ_SYM_LOST_CALL, function, mz_lost_place(caller));
}

/* ---- how much there is, and where the program is in it ---- */

/* Gives a number of 64 bits its expression; if that is not its value, each number of bytes is a path of its own. */
static void set_number(void *number, uint32_t expression, uintptr_t caller)
{
	uint64_t value;
	MZ_REAL(memcpy)(&value, number, sizeof value);
	if (mz_inputs_value(expression) == value)
		mz_shadow_store((uintptr_t)number, sizeof value, expression);
	else
		settle_count(caller);
}

/* The file has a page for each 4096 bytes, which counts as eight blocks. */
void mz_stdin_status(struct stat *status, uintptr_t caller)
{
	if (!given.size || !mz_inputs_space || !is_of_given(status)) return;
	mz_follow_stored((uintptr_t)status);
	mz_shadow_fill((uintptr_t)status, sizeof *status, 0);
	uint32_t size = mz_inputs_make(MZ_OPERATOR_ZEXT, 64, count_expression(), 0, 0);
	uint32_t pages = mz_inputs_make(MZ_OPERATOR_LSHR, 64,
	                                mz_inputs_make(MZ_OPERATOR_ADD, 64, size, mz_inputs_constant(64, 4095), 0),
	                                mz_inputs_constant(64, 12), 0);
	set_number(&status->st_size, size, caller);
	set_number(&status->st_blocks, mz_inputs_make(MZ_OPERATOR_SHL, 64, pages, mz_inputs_constant(64, 3), 0),
	           caller);
}

void mz_stdin_status_x(const struct statx *status, uintptr_t caller)
{
	if (!given.size || status->stx_ino != given.inode) return;
	if (makedev(status->stx_dev_major, status->stx_dev_minor) == given.device) settle_count(caller);
}

void mz_stdin_sought(int fd, off_t by, int whence, off_t result, uintptr_t caller)
{
	if (!given.size || !is_given(fd)) return;
	off_t now = position_of(fd), before = whence == SEEK_CUR && result >= 0 ? result - by : now;
	bool depends = whence == SEEK_CUR ? mz_ahead_at(before) != MZ_AHEAD_NOT : whence != SEEK_SET;
	if (whence != SEEK_CUR || now != before) mz_ahead_moved();
	if (depends) settle_count(caller);
}

void mz_stdin_move_stream(FILE *stream, uintptr_t caller)
{
	if (!given.size || !is_given(fileno(stream))) return;
	settle_count(caller);
	mz_ahead_gives_back(stream);
}

void mz_stdin_asked(int fd, uintptr_t caller)
{
	if (given.size && is_given(fd)) settle_count(caller);
}

void mz_stdin_lose_all(int fd, const char *what, uintptr_t caller)
{
	if (given.size && mz_inputs_space && is_given(fd)) mz_inputs_lose(MZ_SYM_LOST_CALL, what, caller);
}
