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

void mz_output_name(char name[MZ_OUTPUT_NAME], uint32_t check, uint32_t bug)
{
	if (check)
		snprintf(name, MZ_OUTPUT_NAME, "check-%u-bug-%u.trace", check, bug);
	else
		snprintf(name, MZ_OUTPUT_NAME, "bug-%u.trace", bug);
}

static bool is_old_trace(const char *name, uint32_t check)
{
	const char *dash = strrchr(name, '-');
	char same[MZ_OUTPUT_NAME];
	unsigned number;
	if (strcmp(name, "last.trace") == 0) return check == 0;
	if (!dash || sscanf(dash, "-%u", &number) != 1) return false;
	mz_output_name(same, check, number);
	return strcmp(name, same) == 0;
}

int mz_output_make(const char *folder, bool *made)
{
	struct stat status;
	*made = stat(folder, &status) != 0;
	if (!*folder || strlen(folder) >= PATH_MAX - 32)
		errno = EINVAL;
	else if (!*made && !S_ISDIR(status.st_mode))
		errno = ENOTDIR;
	else if (make_folders(folder) == 0 && access(folder, W_OK | X_OK) == 0)
		return 0;
	return cannot("write traces to", folder);
}

void mz_output_clear(const char *folder, uint32_t check)
{
	DIR *entries = opendir(folder);
	if (!entries) return;
	for (struct dirent *entry; (entry = readdir(entries));)
		if (is_old_trace(entry->d_name, check)) unlinkat(dirfd(entries), entry->d_name, 0);
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
