/* SPDX-License-Identifier: MIT
 *
 * A command line that is built up. If memory runs out, `failed` is set and stays set: callers check it once, at the
 * end.
 */
#ifndef MZ_CLI_ARGS_H
#define MZ_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>

/* `items` is NULL-terminated unless `failed`. The strings are borrowed, but for those of mz_args_format(). */
struct mz_args {
	char **items;
	size_t count;
	size_t capacity;
	bool failed;
};

void mz_args_add(struct mz_args *args, const char *item);
void mz_args_add_all(struct mz_args *args, const char *const *items); /* adds all items up to a NULL */
/* Adds a formatted string, which lives as long as the process: a command line ends in exec. */
__attribute__((format(printf, 2, 3))) void mz_args_format(struct mz_args *args, const char *text, ...);
/* Frees the array, not the strings. */
void mz_args_release(struct mz_args *args);

#endif
