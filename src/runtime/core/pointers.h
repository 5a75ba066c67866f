/* SPDX-License-Identifier: MIT
 *
 * Arrays of pointers to items that never move, so that others may keep their addresses.
 */
#ifndef MZ_RUNTIME_CORE_POINTERS_H
#define MZ_RUNTIME_CORE_POINTERS_H

#include "base/alloc.h"
#include "runtime/core/real.h"
#include "runtime/core/runtime.h"
#include <string.h>

/* Adds an item of `size` bytes, all 0, to an array of pointers to `count` items. Returns the array, which may have
 * moved; the items do not move. Ends the run when there is no memory. */
static inline void *mz_pointers_add(void *array, size_t *capacity, size_t count, size_t size)
{
	void **items = array;
	mz_array_require(&items, capacity, count + 1);
	items[count] = mz_alloc(size);
	if (!items[count]) mz_unsupported("out of memory");
	MZ_REAL(memset)(items[count], 0, size);
	return items;
}

#endif
