/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/written.h"
#include "runtime/channels/channels.h"
#include "runtime/inputs/lost.h"
#include <errno.h>
#include <sys/stat.h>

#define FILES_MAX 64

/* What is noted stays for the whole run: a file is there in the next execution as well, or its number is used again,
 * which says more than is true. */
static struct file {
	dev_t device;
	ino_t number;
} files[FILES_MAX];
static unsigned nfiles; /* FILES_MAX + 1: there were more, so all files count */

static bool is_noted(const struct stat *status)
{
	unsigned n = 0;
	while (n < nfiles && n < FILES_MAX && (files[n].device != status->st_dev || files[n].number != status->st_ino))
		n++;
	return nfiles > FILES_MAX || n < nfiles;
}

static void note(const struct stat *status)
{
	if (S_ISCHR(status->st_mode) || is_noted(status)) return; /* nothing comes back from a terminal */
	if (nfiles < FILES_MAX) files[nfiles] = (struct file){status->st_dev, status->st_ino};
	nfiles++;
}

void mz_written(int fd, uintptr_t caller)
{
	struct stat status;
	int error = errno;
	if (fd < 0)
		mz_inputs_lose(MZ_SYM_LOST_OTHER, "a stream in memory", caller);
	else if (mz_descriptor_is_ours(fd))
		mz_inputs_lose(MZ_SYM_LOST_OTHER, "what is sent to threads", caller);
	else if (MZ_REAL(fstat)(fd, &status) == 0)
		note(&status);
	errno = error;
}

static void look(int result, const struct stat *status, uintptr_t caller)
{
	if (result == 0 && is_noted(status)) mz_inputs_lose(MZ_SYM_LOST_OTHER, "a file that is read", caller);
}

void mz_written_looked(int fd, uintptr_t caller)
{
	struct stat status;
	int error = errno;
	if (fd < 0)
		mz_inputs_lose(MZ_SYM_LOST_OTHER, "a stream in memory", caller);
	else if (nfiles)
		look(MZ_REAL(fstat)(fd, &status), &status, caller);
	errno = error;
}

void mz_written_looked_name(int folder, const char *path, uintptr_t caller)
{
	struct stat status;
	int error = errno;
	if (nfiles) look(MZ_REAL(fstatat)(folder, path, &status, 0), &status, caller);
	errno = error;
}
