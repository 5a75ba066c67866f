/* SPDX-License-Identifier: MIT
 *
 * qsort and bsearch. What is compared with what, and in which order, is as in version 2.36 of the C library: it can be
 * seen, by what the program's function does, and by what becomes of elements that it does not order consistently. qsort
 * divides in the middle and merges, with room for a copy. Elements of more than 32 bytes stay where they are until all has
 * been compared.
 */
#include "concolic/models/models.h"
#include <stdlib.h>
#include <unistd.h>

typedef int (*compare)(const void *, const void *);

void MODEL(qsort)(void *base, size_t n, size_t size, compare less);
void *MODEL(bsearch)(const void *key, const void *base, size_t n, size_t size, compare less);

struct sort {
	compare less;
	size_t size;    /* of an element of the array that is sorted */
	bool is_direct; /* elements are compared where they are; else the array has pointers to them */
	char *room;
	const void *code;
};

static bool is_in_order(const struct sort *sort, char *a, char *b)
{
	return (sort->is_direct ? sort->less(a, b) : sort->less(*(char **)a, *(char **)b)) <= 0;
}

static void move(const struct sort *sort, char *to, const char *from, size_t count)
{
	__mz_sym_move(to, from, count * sort->size, sort->code);
}

/* Merges two neighbours in order. What is left of the second one is where it belongs. */
static void merge(const struct sort *sort, char *first, size_t nfirst, size_t nsecond)
{
	char *a = first, *b = first + nfirst * sort->size, *to = sort->room;
	size_t n = nfirst + nsecond;
	for (; nfirst && nsecond; to += sort->size) {
		bool takes_a = is_in_order(sort, a, b);
		move(sort, to, takes_a ? a : b, 1);
		if (takes_a)
			a += sort->size, nfirst--;
		else
			b += sort->size, nsecond--;
	}
	move(sort, to, a, nfirst);
	move(sort, first, sort->room, n - nsecond);
}

static void sort_array(const struct sort *sort, char *array, size_t n)
{
	if (n <= 1) return;
	sort_array(sort, array, n / 2);
	sort_array(sort, array + n / 2 * sort->size, n - n / 2);
	merge(sort, array, n / 2, n - n / 2);
}

static void sort_direct(struct sort *sort, char *base, size_t n)
{
	sort->is_direct = true;
	sort_array(sort, base, n);
}

/* Sorts pointers to the elements, and copies the elements in that order, by way of the room. */
static void sort_pointers(struct sort *sort, char *base, size_t n, size_t size, char **pointers, char *copies)
{
	for (size_t i = 0; i < n; i++) pointers[i] = base + i * size;
	sort->size = sizeof *pointers;
	sort_array(sort, (char *)pointers, n);
	for (size_t i = 0; i < n; i++) __mz_sym_move(copies + i * size, pointers[i], size, sort->code);
	__mz_sym_move(base, copies, n * size, sort->code);
}

/* The most room that is on the stack, where a checkpoint keeps it, and no end of the sort can leave it behind. */
#define ON_STACK 65536

static void sort_with(struct sort *sort, char *base, size_t n, char *room)
{
	size_t size = sort->size, all = n * size;
	sort->room = room;
	if (size <= 32) {
		sort_direct(sort, base, n);
	} else {
		char **pointers = (char **)room + n;
		sort_pointers(sort, base, n, size, pointers, (char *)(pointers + n));
		all += 2 * n * sizeof *pointers;
	}
	__mz_sym_forget(room, all);
}

static void sort_on_stack(struct sort *sort, char *base, size_t n, size_t room)
{
	char *there = __builtin_alloca_with_align(room + !room, 8 * sizeof(char *));
	sort_with(sort, base, n, there);
}

/* Reports whether the C library sorts in place, because the room would take a quarter of the machine's memory. */
static bool is_too_large(size_t room)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	return pages > 0 && room / (size_t)sysconf(_SC_PAGESIZE) > (size_t)pages / 4;
}

void MODEL(qsort)(void *base, size_t n, size_t size, compare less)
{
	size_t room = size > 32 ? n * size + 2 * n * sizeof(char *) : n * size;
	if (CONCRETE || is_too_large(room)) GO_ON qsort(base, n, size, less);
	struct sort sort = {.less = less, .size = size, .code = HERE};
	if (n && size) __mz_sym_touch(base, n * size, 1, HERE);
	if (n <= 1 || !size) return;
	char *memory = room > ON_STACK ? __mz_sym_borrow(room, HERE) : NULL;
	if (memory)
		sort_with(&sort, base, n, memory);
	else
		sort_on_stack(&sort, base, n, room);
	if (memory) __mz_sym_give_back(memory, HERE);
}

void *MODEL(bsearch)(const void *key, const void *base, size_t n, size_t size, compare less)
{
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
