/* SPDX-License-Identifier: MIT */
#include "campaign/output.h"
#include "base/fd.h"
#include "report/say.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWNER_ONLY 0600
#define ASIDE_NAMES                                                                                                    \
	16 /* that are tried for a file that is being written, because somebody else may have some of them */

static int cannot(const char *what, const char *path)
{
	mz_refuse("cannot %s '%s': %s", what, path, strerror(errno));
	return -1;
}

/* Makes a folder and the folders above it that do not exist. */
static int make_folders(const char *folder)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s", folder);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0777) != 0 && errno != EEXIST) return -1;
		*slash = '/';
	}
	return mkdir(path, 0777) != 0 && errno != EEXIST ? -1 : 0;
}

void mz_output_trace_name(char name[MZ_OUTPUT_NAME], uint32_t check, uint32_t bug)
{
	if (check)
		snprintf(name, MZ_OUTPUT_NAME, "check-%u-bug-%u.trace", check, bug);
	else
		snprintf(name, MZ_OUTPUT_NAME, "bug-%u.trace", bug);
}

/* ---- files ---- */

static bool is_regular(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_link(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Follows symbolic links, so that the file that a link leads to is replaced, not the link. */
static int resolve(const char *path, char resolved[PATH_MAX])
{
	if (strlen(path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!realpath(path, resolved)) strcpy(resolved, path);
	return 0;
}

/* Creates the file beside its place, so that it never had another mode or owner. Returns a descriptor, or -1 with errno set. */
static int create_aside(struct mz_output *output, mode_t mode)
{
	int fd = -1;
	for (unsigned n = 0; n < ASIDE_NAMES && fd < 0; n++) {
		int length = snprintf(output->aside, sizeof output->aside, "%s.%ld", output->path, (long)getpid());
		if (n > 0) snprintf(output->aside + length, sizeof output->aside - (size_t)length, "-%u", n);
		unlink(output->aside); /* a process of this number may have been killed before it could */
		fd = open(output->aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST) break;
	}
	return fd;
}

/* Begins to write beside the place of the file; `old` is the file that is there, or NULL. Returns whether that can be done. */
static bool open_aside(struct mz_output *output, const struct stat *old, bool private)
{
	int fd = create_aside(output, old || private ? OWNER_ONLY : 0666);
	if (fd < 0) return false;
	if (old || private) fchmod(fd, private ? OWNER_ONLY : old->st_mode & 0777);
	output->out = fdopen(fd, "w");
	if (output->out) return true;
	close(fd);
	unlink(output->aside);
	return false;
}

static int open_output(struct mz_output *output, const char *path, bool private)
{
	struct stat status;
	*output = (struct mz_output){0};
	if (resolve(path, output->path) != 0) return -1;
	bool there = stat(output->path, &status) == 0;
	errno = EEXIST; /* what is there is no file to be replaced */
	if ((!there || S_ISREG(status.st_mode)) && open_aside(output, there ? &status : NULL, private)) return 0;
	if (!there || private) return -1;
	output->aside[0] = 0;
	output->out = fopen(output->path, "we");
	return output->out ? 0 : -1;
}

int mz_output_open(struct mz_output *output, const char *path)
{
	return open_output(output, path, false);
}

int mz_output_open_private(struct mz_output *output, const char *path)
{
	return open_output(output, path, true);
}

int mz_output_close(struct mz_output *output, bool good)
{
	int reason = good ? 0 : errno;
	if (fclose(output->out) != 0 && !reason) reason = errno;
	if (*output->aside && !reason && rename(output->aside, output->path) != 0) reason = errno;
	if (*output->aside && reason) unlink(output->aside);
	errno = reason;
	return reason ? -1 : 0;
}

int mz_output_prepare(const char *path)
{
	struct mz_output output;
	if (mz_output_open(&output, path) != 0) return -1;
	fclose(output.out);
	if (!*output.aside) return 0;
	unlink(output.aside);
	if (!is_regular(output.path)) return 0;
	return is_link(path) ? truncate(output.path, 0) : unlink(output.path); /* a link must not be left dangling */
}

/* ---- traces ---- */

static bool is_old_trace(const char *name, uint32_t check)
{
	const char *dash = strrchr(name, '-');
	char same[MZ_OUTPUT_NAME];
	unsigned number;
	if (strcmp(name, "last.trace") == 0 || strcmp(name, MZ_OUTPUT_BROKEN) == 0) return check == 0;
	if (!dash || sscanf(dash, "-%u", &number) != 1) return false;
	mz_output_trace_name(same, check, number);
	return strcmp(name, same) == 0;
}

/* Makes the folder if it is not there; `what` is what cannot be done if that fails. */
static int make_folder(const char *folder, const char *what, bool *made)
{
	struct stat status;
	*made = stat(folder, &status) != 0;
	if (!*folder || strlen(folder) >= PATH_MAX - 32)
		errno = EINVAL;
	else if (!*made && !S_ISDIR(status.st_mode))
		errno = ENOTDIR;
	else if (make_folders(folder) == 0 && access(folder, W_OK | X_OK) == 0)
		return 0;
	return cannot(what, folder);
}

int mz_output_make_folder(const char *folder, bool *made)
{
	return make_folder(folder, "write traces to", made);
}

int mz_output_make_keep(const char *folder)
{
	bool made;
	return make_folder(folder, "keep the open work in", &made);
}

static bool is_old_test(const char *name)
{
	char same[MZ_OUTPUT_NAME];
	unsigned number;
	if (sscanf(name, "path-%u.inputs", &number) != 1) return false;
	snprintf(same, sizeof same, "path-%u.inputs", number);
	return strcmp(name, same) == 0;
}

int mz_output_open_tests(const char *folder)
{
	bool made;
	if (make_folder(folder, "write inputs to", &made) != 0) return -1;
	DIR *entries = opendir(folder);
	if (!entries) return cannot("write inputs to", folder);
	for (struct dirent *entry; (entry = readdir(entries));)
		if (is_old_test(entry->d_name)) unlinkat(dirfd(entries), entry->d_name, 0);
	int fd = mz_fd_high(fcntl(dirfd(entries), F_DUPFD, 0));
	closedir(entries);
	return fd < 0 ? cannot("write inputs to", folder) : fd;
}

void mz_output_remove_traces(const char *folder, uint32_t check)
{
	DIR *entries = opendir(folder);
	if (!entries) return;
	for (struct dirent *entry; (entry = readdir(entries));)
		if (is_old_trace(entry->d_name, check)) unlinkat(dirfd(entries), entry->d_name, 0);
	closedir(entries);
}

int mz_output_write_trace(const char *folder, const char *name, const struct mz_trace *trace, char path[PATH_MAX])
{
	struct mz_output output;
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	if (mz_output_open(&output, path) != 0) return cannot("write", path);
	bool good = mz_trace_write(trace, output.out) == 0;
	return mz_output_close(&output, good) == 0 ? 0 : cannot("write", path);
}
