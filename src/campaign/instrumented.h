/* SPDX-License-Identifier: MIT
 *
 * Looks at program files before they are run: finds the file that a name means, says whether it can be explored, and
 * what tells it from other builds.
 */
#ifndef MZ_CAMPAIGN_INSTRUMENTED_H
#define MZ_CAMPAIGN_INSTRUMENTED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define MZ_IDENTITY_SIZE 65

/* Finds the path of a program as execvp would: a name without a slash is looked up in PATH. Returns 0, or -1 with one
 * line in `error`. */
int mz_program_find(const char *name, char path[PATH_MAX], char *error, size_t size);

/* Returns 0 if the file is an executable for this machine, built with `mazurka cc` for this version of the library;
 * else -1, with one line in `error` that says what the file is instead and what to do. */
int mz_program_check(const char *path, char *error, size_t size);

/* Returns whether the file was built with `mazurka cc --symbolic`, at least in part. */
bool mz_program_is_symbolic(const char *path);

/* Fills in what tells this build of a program from others: its build id in hex, or a hash of the file if it has none or
 * the id is longer than fits. Returns 0, or -1 with errno set. */
int mz_program_identity(const char *path, char out[MZ_IDENTITY_SIZE]);

#endif
