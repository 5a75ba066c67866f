/* SPDX-License-Identifier: MIT
 *
 * Arrays that grow. An array is a pointer and a capacity, two variables of its owner; the owner also counts the items.
 * NULL and 0 are an empty array; mz_free() releases one.
 */
#ifndef MZ_BASE_ARRAY_H
#define MZ_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room in `*array`, a pointer to items of any type, for at least `need` items. The items that are there are kept,
 * but may move; new ones are uninitialised. Returns false when there is no memory, and leaves the array as it was. */
#define mz_array_reserve(array, capacity, need) mz_array_reserve_items(array, capacity, need, sizeof **(array))

/* Doubles the capacity until it is `need` items of `size` bytes. `array` points to a pointer of any type. */
bool mz_array_grow(void *array, size_t *capacity, size_t need, size_t size);

static inline bool mz_array_reserve_items(void *array, size_t *capacity, size_t need, size_t size)
{
	return __builtin_expect(need <= *capacity, 1) || mz_array_grow(array, capacity, need, size);
}

#endif
