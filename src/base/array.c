/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/alloc.h"
#include <stdint.h>

#define FIRST_CAPACITY 16

bool mz_array_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	size_t grown = *capacity ? *capacity : FIRST_CAPACITY;
	while (grown < need) {
		if (grown > SIZE_MAX / 2 / size) return false;
		grown *= 2;
	}
	void *items;
	__builtin_memcpy(&items, array, sizeof items); /* its type is not void *, so it must not be read as that */
	items = mz_realloc(items, grown * size);
	if (!items) return false;
	__builtin_memcpy(array, &items, sizeof items);
	*capacity = grown;
	return true;
}
