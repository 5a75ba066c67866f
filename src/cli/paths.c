/* SPDX-License-Identifier: MIT
 *
 * Two layouts, told apart by where libmazurka.so is. MZ_BINDIR, MZ_LIBDIR and MZ_INCLUDEDIR are what the build was
 * configured with, relative to the prefix (or absolute, if somebody wanted that).
 *
 *     build tree    DIR/mazurka  DIR/libmazurka.so  DIR/src/cli/data/{note.o,gcc/,symbolic/,include/}
 *     installed     PREFIX/BINDIR/mazurka  PREFIX/LIBDIR/libmazurka.so  PREFIX/LIBDIR/mazurka/{note.o,gcc/,symbolic/}
 *                   PREFIX/INCLUDEDIR/mazurka.h
 *
 * In both, mazurka-instrument is beside mazurka, and libmazurka-models.a beside libmazurka.so.
 */
#include "cli/paths.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libmazurka.so"

__attribute__((format(printf, 2, 3))) static bool format(char out[PATH_MAX], const char *text, ...)
{
	va_list args;
	va_start(args, text);
	int n = vsnprintf(out, PATH_MAX, text, args);
	va_end(args);
	return n >= 0 && n < PATH_MAX;
}

static bool own_folder(char folder[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	if (n <= 0) return false;
	folder[n] = '\0';
	char *slash = strrchr(folder, '/');
	if (!slash) return false;
	*slash = '\0';
	return true;
}

/* Puts `prefix` in front of `part`, unless that is absolute. */
static bool under(char out[PATH_MAX], const char *prefix, const char *part)
{
	return part[0] == '/' ? format(out, "%s", part) : format(out, "%s/%s", prefix, part);
}

static bool built(struct mz_install_paths *paths, const char *folder)
{
	return format(paths->library, "%s/" LIBRARY, folder) && access(paths->library, R_OK) == 0 &&
	       format(paths->library_dir, "%s", folder) && format(paths->data, "%s/src/cli/data", folder) &&
	       format(paths->include, "%s/src/cli/data/include", folder);
}

/* Finds the prefix of the installation: the folder of this command without BINDIR at its end. */
static bool prefix_of(char prefix[PATH_MAX], const char *folder)
{
	if (MZ_BINDIR[0] == '/') return format(prefix, "%s", MZ_PREFIX);
	size_t all = strlen(folder), bin = strlen(MZ_BINDIR);
	if (all <= bin || folder[all - bin - 1] != '/' || strcmp(folder + all - bin, MZ_BINDIR) != 0) return false;
	return format(prefix, "%.*s", (int)(all - bin - 1), folder);
}

static bool installed(struct mz_install_paths *paths, const char *folder)
{
	char prefix[PATH_MAX];
	return prefix_of(prefix, folder) && under(paths->library_dir, prefix, MZ_LIBDIR) &&
	       format(paths->library, "%s/" LIBRARY, paths->library_dir) && access(paths->library, R_OK) == 0 &&
	       format(paths->data, "%s/mazurka", paths->library_dir) && under(paths->include, prefix, MZ_INCLUDEDIR);
}

int mz_install_paths(struct mz_install_paths *paths, char *error, size_t size)
{
	char folder[PATH_MAX];
	if (!own_folder(folder)) {
		snprintf(error, size, "cannot tell where this command is: /proc/self/exe is not readable");
		return -1;
	}
	if ((built(paths, folder) || installed(paths, folder)) &&
	    format(paths->instrumenter, "%s/mazurka-instrument", folder) &&
	    format(paths->models, "%s/libmazurka-models.a", paths->library_dir))
		return 0;
	snprintf(error, size,
	         LIBRARY " belongs beside %s/mazurka or in %s of the same prefix and is not there: install again",
	         folder, MZ_LIBDIR);
	return -1;
}
