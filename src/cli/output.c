/* SPDX-License-Identifier: MIT */
#include "cli/output.h"
#include "cli/say.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const char *what, const char *path)
{
	mz_refuse("cannot %s '%s': %s", what, path, strerror(errno));
	return -1;
}

/* Makes a folder and those above it. */
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

static bool is_old_trace(const char *name)
{
	unsigned number;
	int length = 0;
	if (strcmp(name, "last.trace") == 0) return true;
	return sscanf(name, "bug-%u.trace%n", &number, &length) == 1 && length > 0 && !name[length];
}

int mz_output_make(const char *folder, bool *made)
{
	struct stat status;
	*made = stat(folder, &status) != 0;
	if (!*folder || strlen(folder) >= PATH_MAX - 32) errno = EINVAL;
	else if (!*made && !S_ISDIR(status.st_mode)) errno = ENOTDIR;
	else if (make_folders(folder) == 0 && access(folder, W_OK | X_OK) == 0) return 0;
	return cannot("write traces to", folder);
}

void mz_output_clear(const char *folder)
{
	DIR *entries = opendir(folder);
	if (!entries) return;
	for (struct dirent *entry; (entry = readdir(entries));)
		if (is_old_trace(entry->d_name)) unlinkat(dirfd(entries), entry->d_name, 0);
	closedir(entries);
}

int mz_output_trace(const char *folder, const char *name, const struct mz_trace *trace, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	FILE *out = fopen(path, "w");
	if (!out) return cannot("write", path);
	int failed = mz_trace_write(trace, out);
	if (fclose(out) != 0 || failed) return cannot("write", path);
	return 0;
}
