/* SPDX-License-Identifier: MIT
 *
 * The data of a library as they are when it has been loaded and none of its constructors has run: from its file, and
 * with addresses filled in as the loader does it. The loader itself leaves no time to look.
 */
#ifndef MZ_RUNTIME_MEMORY_FRESH_H
#define MZ_RUNTIME_MEMORY_FRESH_H

#include <link.h>
#include <stdbool.h>

/* Resets the data of a loaded library, in place, to what they were before its constructors ran. Returns false if the
 * library's file cannot be read. `handle` is that of the library that was opened, which may be another one that needs
 * this one. */
bool mz_fresh_make(const struct dl_phdr_info *info, void *handle);

#endif
