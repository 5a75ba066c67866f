/* SPDX-License-Identifier: MIT
 *
 * Finds the parts of Mazurka from where the running command is: beside it in a build tree, or under the same prefix
 * once installed. Nothing remembers the folder it was built in, so both can be moved.
 */
#ifndef MZ_CLI_PATHS_H
#define MZ_CLI_PATHS_H

#include <limits.h>
#include <stddef.h>

struct mz_install_paths {
	char library[PATH_MAX];     /* libmazurka.so */
	char library_dir[PATH_MAX]; /* the folder it is in */
	char data[PATH_MAX];        /* folder: note.o, and gcc/ with what gcc looks for */
	char include[PATH_MAX];     /* folder: mazurka.h */
	/* What is there only if Mazurka was built with LLVM: */
	char instrumenter[PATH_MAX]; /* mazurka-instrument */
	char models[PATH_MAX];       /* libmazurka-models.a */
};

/* Finds all of them. Returns 0, or -1 with one line in `error`. */
int mz_install_paths(struct mz_install_paths *paths, char *error, size_t size);

#endif
