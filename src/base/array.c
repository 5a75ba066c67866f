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
	/* the array's pointer is of another type than void *, so it is copied as bytes */
	__builtin_memcpy(&items, array, sizeof items);
	items = mz_realloc(items, grown * size);
	if (!items) return false;
	__builtin_memcpy(array, &items, sizeof items);
	*capacity = grown;
	return true;
}
