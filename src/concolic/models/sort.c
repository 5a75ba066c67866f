/* SPDX-License-Identifier: MIT
 *
 * qsort and bsearch. The C library's own would move elements where no shadow follows them.
 */
#include "concolic/models/models.h"
#include <stdlib.h>

typedef int (*compare)(const void *, const void *);

void MODEL(qsort)(void *base, size_t n, size_t size, compare less);
void *MODEL(bsearch)(const void *key, const void *base, size_t n, size_t size, compare less);

static void swap(char *a, char *b, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		char byte = a[i];
		a[i] = b[i];
		b[i] = byte;
	}
}

/* By insertion, which keeps the order of equal elements, as the C library does while there is memory. */
void MODEL(qsort)(void *base, size_t n, size_t size, compare less)
{
	char *items = base;
	if (CONCRETE) {
		qsort(base, n, size, less);
		return;
	}
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && less(items + (k - 1) * size, items + k * size) > 0; k--)
			swap(items + (k - 1) * size, items + k * size, size);
}

void *MODEL(bsearch)(const void *key, const void *base, size_t n, size_t size, compare less)
{
	if (CONCRETE) return bsearch(key, base, n, size, less);
	for (size_t low = 0, high = n; low < high;) {
		size_t middle = (low + high) / 2;
		const char *item = (const char *)base + middle * size;
		int order = less(key, item);
		if (order == 0) return (void *)item;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
