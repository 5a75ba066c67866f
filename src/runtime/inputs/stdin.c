/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/stdin.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/symbolic.h"
#include "runtime/inputs/values.h"
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	uint32_t size;  /* 0: standard input is no input */
	uint32_t first; /* its first byte among those of all inputs */
	dev_t device;   /* the file in memory */
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
	given.device = status.st_dev;
	given.inode = status.st_ino;
}

void mz_stdin_begin(struct mz_fiber *self)
{
	(void)self;
	if (!given.size) return;
	const uint8_t *bytes = mz_input_provide(0, given.size, "stdin", &given.first);
	if (pwrite(0, bytes, given.size, 0) != (ssize_t)given.size) mz_unsupported("standard input cannot be filled");
}

/* Reports whether a descriptor still is the file in memory. */
static bool is_given(int fd)
{
	struct stat status;
	if (!given.size || fd < 0 || fstat(fd, &status) != 0) return false;
	return status.st_dev == given.device && status.st_ino == given.inode;
}

static void set_shadows(uintptr_t to, size_t size, off_t end)
{
	if (!mz_inputs_space || end < (off_t)size || end > (off_t)given.size) return;
	mz_follow_stored(to);
	uint64_t first = given.first + (uint64_t)end - size;
	for (size_t i = 0; i < size; i++) mz_shadow_set(to + i, mz_inputs_make(MZ_OPERATOR_INPUT, 8, 0, 0, first + i));
}

void mz_stdin_read(int fd, const void *to, size_t size)
{
	if (given.size && size && is_given(fd)) set_shadows((uintptr_t)to, size, lseek(fd, 0, SEEK_CUR));
}

void mz_stdin_read_stream(FILE *stream, const void *to, size_t size)
{
	if (given.size && size && is_given(fileno(stream))) set_shadows((uintptr_t)to, size, MZ_REAL(ftello)(stream));
}

void mz_stdin_lose(FILE *stream, const char *function, uintptr_t caller)
{
	if (given.size && mz_inputs_space && mz_current && is_given(fileno(stream)))
		mz_inputs_lose(MZ_SYM_LOST_CALL, function, caller);
}
