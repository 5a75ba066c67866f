/* SPDX-License-Identifier: MIT */
#include "runtime/world/files.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "runtime/core/core.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONTENTS_MAX (64UL << 20) /* most bytes of a file whose contents are kept */

/* A file as it was before the first execution. */
struct kept_file {
	char path[PATH_MAX];
	bool existed;
	bool changed; /* the execution under way may have changed the file */
	mode_t mode;
	size_t size;
	uint8_t *contents;
};

/* A descriptor that was open before the first execution. */
struct inherited {
	int fd;
	off_t position; /* file position; -1 if it has none */
	int kept; /* a duplicate under another number, made when the program first closed or replaced it; 0: none */
	bool replaced; /* the program has closed or replaced it in this execution */
	int flags;     /* descriptor flags (FD_CLOEXEC) */
	bool ours;     /* the program may neither close nor replace it */
};

static struct kept_file **kept;
static size_t nkept, kept_capacity;
static struct inherited *inherited;
static size_t ninherited, inherited_capacity;
static FILE **streams;
static size_t nstreams, streams_capacity;
static bool opened; /* the program has opened something in this execution */

bool mz_files_is_random(const char *path)
{
	return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

/* ---- contents ---- */

bool mz_files_resolve(const char *path, char resolved[PATH_MAX])
{
	char folder[PATH_MAX];
	if (realpath(path, resolved)) return true;
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path) : 0;
	if (snprintf(folder, sizeof folder, "%.*s/", length, path) >= (int)sizeof folder) return false;
	if (!realpath(slash ? folder : ".", resolved)) return false;
	size_t used = strlen(resolved);
	int more = snprintf(resolved + used, PATH_MAX - used, "/%s", slash ? slash + 1 : path);
	return more > 0 && (size_t)more < PATH_MAX - used;
}

static struct kept_file *find_kept(const char *path)
{
	for (size_t i = 0; i < nkept; i++)
		if (strcmp(kept[i]->path, path) == 0) return kept[i];
	return NULL;
}

static bool transfer(int fd, uint8_t *bytes, size_t size, bool write_)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = write_ ? pwrite(fd, bytes + done, size - done, (off_t)done)
		                   : pread(fd, bytes + done, size - done, (off_t)done);
		if (n <= 0) return false;
		done += (size_t)n;
	}
	return true;
}

/* Reads the contents; false if they cannot be kept. */
static bool read_contents(struct kept_file *file)
{
	struct stat status;
	if (stat(file->path, &status) != 0) return errno == ENOENT;
	if (!S_ISREG(status.st_mode) || (size_t)status.st_size > CONTENTS_MAX) return false;
	int fd = MZ_REAL(open)(file->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) return false;
	file->existed = true;
	file->mode = status.st_mode & 07777;
	file->size = (size_t)status.st_size;
	file->contents = mz_alloc(file->size + 1);
	bool done = file->contents && transfer(fd, file->contents, file->size, false);
	close(fd);
	return done;
}

static bool is_device(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

void mz_files_change(const char *path)
{
	char resolved[PATH_MAX];
	int error = errno;
	if (mz_files_resolve(path, resolved) && !is_device(resolved)) {
		struct kept_file *file = find_kept(resolved);
		if (!file) {
			mz_array_require(&kept, &kept_capacity, nkept + 1);
			file = mz_alloc(sizeof *file);
			if (!file) mz_unsupported("out of memory");
			*file = (struct kept_file){0};
			MZ_REAL(strcpy)(file->path, resolved);
			kept[nkept++] = file;
			if (!read_contents(file)) {
				mz_uncontrolled(MZ_UNCONTROLLED_LARGE_FILE);
				nkept--;
				mz_free(file->contents);
				mz_free(file);
				file = NULL;
			}
		}
		if (file) file->changed = true;
		opened = true;
	}
	errno = error;
}

static void put_back(struct kept_file *file)
{
	if (!file->changed) return;
	file->changed = false;
	if (!file->existed) {
		MZ_REAL(unlink)(file->path);
		return;
	}
	int fd = MZ_REAL(open)(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file->mode);
	if (fd < 0) return;
	transfer(fd, file->contents, file->size, true);
	close(fd);
}

/* ---- descriptors and streams ---- */

static int compare(const void *a, const void *b)
{
	return ((const struct inherited *)a)->fd - ((const struct inherited *)b)->fd;
}

void mz_files_save(void)
{
	DIR *folder = opendir("/proc/self/fd");
	if (!folder) return;
	for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		int fd = atoi(entry->d_name);
		if (*entry->d_name == '.' || fd == dirfd(folder)) continue;
		mz_array_require(&inherited, &inherited_capacity, ninherited + 1);
		struct stat status;
		bool moves = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
		const struct mz_session *session = mz_rt.session;
		bool ours = fd == session->recording || fd == session->states || fd == session->trunk ||
		            fd == session->inputs.socket || fd == session->inputs.memory;
		inherited[ninherited++] = (struct inherited){
		    .fd = fd, .position = moves && !ours ? lseek(fd, 0, SEEK_CUR) : -1, .ours = ours};
	}
	closedir(folder);
	qsort(inherited, ninherited, sizeof *inherited, compare);
}

void mz_files_keep(int fd)
{
	if (fd < 0) return;
	mz_array_require(&inherited, &inherited_capacity, ninherited + 1);
	inherited[ninherited++] = (struct inherited){.fd = fd, .position = -1, .ours = true};
	qsort(inherited, ninherited, sizeof *inherited, compare);
}

static struct inherited *find_inherited(int fd)
{
	for (size_t i = 0; i < ninherited && inherited[i].fd <= fd; i++)
		if (inherited[i].fd == fd) return &inherited[i];
	return NULL;
}

bool mz_files_is_ours(int fd)
{
	const struct inherited *found = find_inherited(fd);
	return found && found->ours;
}

int mz_files_last(void)
{
	return ninherited ? inherited[ninherited - 1].fd : -1;
}

/* Counts, where states are searched, that the program opens files: what the kernel knows of them is in no state. */
static void note_opened(void)
{
	opened = true;
	mz_rt.way->outside_of_states(MZ_UNCONTROLLED_FILES_OF_STATES);
}

void mz_files_moved(int fd)
{
	const struct inherited *found = find_inherited(fd);
	if (!found || found->position < 0) return;
	note_opened();
	mz_rt.seen.moves_files = true;
}

void mz_files_replace(int fd)
{
	struct inherited *found = find_inherited(fd);
	if (!found || found->replaced) return;
	found->replaced = opened = true;
	if (found->kept) return;
	int error = errno, flags = MZ_REAL(fcntl)(fd, F_GETFD);
	int copy = MZ_REAL(fcntl)(fd, F_DUPFD_CLOEXEC, MZ_FD_HIGH);
	errno = error;
	if (copy < 0) return;
	found->kept = copy;
	found->flags = flags;
	mz_files_keep(copy); /* adding to the list moves what was found in it */
}

static void bring_back(struct inherited *each)
{
	if (each->replaced && each->kept) MZ_REAL(dup3)(each->kept, each->fd, each->flags & FD_CLOEXEC ? O_CLOEXEC : 0);
	each->replaced = false;
	if (each->position >= 0) lseek(each->fd, each->position, SEEK_SET);
}

void mz_files_opened(int fd)
{
	if (fd >= 0) note_opened();
}

void mz_files_stream_opened(FILE *stream)
{
	if (!stream) return;
	note_opened();
	mz_array_require(&streams, &streams_capacity, nstreams + 1);
	streams[nstreams++] = stream;
}

void mz_files_stream_closed(FILE *stream)
{
	for (size_t i = 0; i < nstreams; i++)
		if (streams[i] == stream) streams[i] = streams[--nstreams];
}

/* Closes all descriptors that were not open before the first execution. */
static void close_new(void)
{
	unsigned next = 0;
	for (size_t i = 0; i < ninherited; i++) {
		unsigned fd = (unsigned)inherited[i].fd;
		if (fd > next) MZ_REAL(close_range)(next, fd - 1, 0);
		next = fd + 1;
	}
	MZ_REAL(close_range)(next, ~0U, 0);
}

void mz_files_restore(void)
{
	if (!opened || !ninherited) return;
	opened = false;
	while (nstreams) MZ_REAL(fclose)(streams[--nstreams]);
	close_new();
	for (size_t i = 0; i < ninherited; i++) bring_back(&inherited[i]);
	for (size_t i = 0; i < nkept; i++) put_back(kept[i]);
}
