/* SPDX-License-Identifier: MIT
 *
 * The data of a library as they are when it has been loaded and none of its constructors has run: from its file, and
 * with addresses filled in as the loader does it. The loader itself leaves no time to look.
 */
#ifndef MZ_RUNTIME_MEMORY_FRESH_H
#define MZ_RUNTIME_MEMORY_FRESH_H

#include <link.h>
#include <stdbool.h>

/* Makes them so, in place; false if its file cannot be read. `handle` is of the library that was loaded, and may have
 * brought this one with it. */
bool mz_fresh_make(const struct dl_phdr_info *info, void *handle);

#endif
