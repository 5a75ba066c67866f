/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/stdin.h"
#include "runtime/inputs/back.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/path.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/symbolic.h"
#include "runtime/inputs/values.h"
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	uint32_t size;  /* the most bytes that there are; 0: standard input is no input */
	uint32_t first; /* its first byte among those of all inputs */
	/* how many bytes there are is an input of its own: its first byte among all, and how many it has */
	uint32_t length_first, length_size;
	off_t start;  /* where the stream was that is being read */
	dev_t device; /* the file in memory */
	ino_t inode;
} given;

void mz_stdin_start(void)
{
	struct stat status;
	uint32_t size = mz_rt.session->configuration.symbolic_stdin;
	if (!size) return;
	int fd = memfd_create("stdin", 0);
	if (fd < 0 || ftruncate(fd, size) != 0 || fstat(fd, &status) != 0 || (fd != 0 && dup2(fd, 0) != 0))
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

/* Reports whether a descriptor still is the file in memory. */
static bool is_given(int fd)
{
	struct stat status;
	if (!given.size || fd < 0 || fstat(fd, &status) != 0) return false;
	return status.st_dev == given.device && status.st_ino == given.inode;
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

/* Deals with `read` bytes of `asked`, from the byte `start` on. */
static void take(uintptr_t to, size_t asked, size_t read, off_t start, uintptr_t caller)
{
	if (!mz_inputs_space || start < 0 || start + (off_t)read > (off_t)given.size) return;
	set_shadows(to, read, start);
	branch_on_end(start, start + (off_t)asked, caller);
}

void mz_stdin_put_back(FILE *stream)
{
	if (mz_stdin_is(stream)) mz_back_put(MZ_REAL(ftello)(stream) - 1);
}

/* ---- what the program reads ---- */

void mz_stdin_read(int fd, const void *to, size_t asked, ssize_t read, uintptr_t caller)
{
	if (!given.size || read < 0 || !is_given(fd)) return;
	take((uintptr_t)to, asked, (size_t)read, lseek(fd, 0, SEEK_CUR) - read, caller);
}

void mz_stdin_read_at(int fd, const void *to, size_t asked, ssize_t read, off_t start, uintptr_t caller)
{
	if (given.size && read >= 0 && is_given(fd)) take((uintptr_t)to, asked, (size_t)read, start, caller);
}

void mz_stdin_read_vectors(int fd, const struct iovec *vectors, int n, ssize_t read, off_t start, uintptr_t caller)
{
	if (!given.size || !is_given(fd)) return;
	for (int i = 0; i < n && start >= 0 && read >= 0; i++) {
		size_t room = vectors[i].iov_len, here = (size_t)read < room ? (size_t)read : room;
		take((uintptr_t)vectors[i].iov_base, room, here, start, caller);
		start += (off_t)here;
		read = here < room ? -1 : read - (ssize_t)here;
	}
}

void mz_stdin_start_stream(FILE *stream)
{
	if (given.size && is_given(fileno(stream))) given.start = MZ_REAL(ftello)(stream);
}

void mz_stdin_read_stream(FILE *stream, const void *to, size_t asked, uintptr_t caller)
{
	if (!given.size || !asked || !is_given(fileno(stream))) return;
	off_t end = MZ_REAL(ftello)(stream);
	if (end < given.start || !mz_inputs_space) return;
	size_t read = (size_t)(end - given.start), again = mz_back_take((uintptr_t)to, read, given.start);
	take((uintptr_t)to + again, asked - again, read - again, given.start + (off_t)again, caller);
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
