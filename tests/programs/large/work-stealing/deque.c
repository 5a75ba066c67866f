/* SPDX-License-Identifier: MIT
 *
 * The deque of Chase and Lev (SPAA 2005), with the memory orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013).
 *
 * Items are at positions top to bottom - 1, modulo the size of the array, a power of two. Positions only grow, so that
 * a compare-exchange of `top` tells whether anybody else has taken something since. The owner and a thief can meet at
 * the last item only; both then have to win `top`.
 *
 * When the array is full its items are copied to one of twice the size. A thief may still read the old one, in which
 * they are unchanged; so it is kept, behind the new one, until the deque is released.
 */
#include "deque.h"
#include <stdlib.h>

struct deque_array {
	struct deque_array *smaller; /* the one before */
	size_t mask;
	_Atomic(void *) items[];
};

static struct deque_array *array_new(size_t size, struct deque_array *smaller)
{
	struct deque_array *array = calloc(1, sizeof *array + size * sizeof array->items[0]);
	if (!array) return NULL;
	array->smaller = smaller;
	array->mask = size - 1;
	return array;
}

static void *get(struct deque_array *array, size_t position)
{
	return atomic_load_explicit(&array->items[position & array->mask], memory_order_relaxed);
}

static void put(struct deque_array *array, size_t position, void *item)
{
	atomic_store_explicit(&array->items[position & array->mask], item, memory_order_relaxed);
}

bool deque_init(deque *deque, size_t capacity)
{
	size_t size = 1;
	while (size < capacity) size *= 2;
	struct deque_array *array = array_new(size, NULL);
	/* Positions start at 1: popping from an empty deque goes one below, and must not wrap around. */
	atomic_init(&deque->top, 1);
	atomic_init(&deque->bottom, 1);
	atomic_init(&deque->array, array);
	return array != NULL;
}

void deque_release(deque *deque)
{
	struct deque_array *array = atomic_load(&deque->array);
	while (array) {
		struct deque_array *smaller = array->smaller;
		free(array);
		array = smaller;
	}
}

static struct deque_array *grow(deque *deque, struct deque_array *array, size_t top, size_t bottom)
{
	struct deque_array *larger = array_new(2 * (array->mask + 1), array);
	if (!larger) return NULL;
	for (size_t i = top; i < bottom; i++) put(larger, i, get(array, i));
	atomic_store_explicit(&deque->array, larger, memory_order_release);
	return larger;
}

bool deque_push(deque *deque, void *item)
{
	size_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
	size_t top = atomic_load_explicit(&deque->top, memory_order_acquire);
	struct deque_array *array = atomic_load_explicit(&deque->array, memory_order_relaxed);
	if (bottom - top > array->mask) {
		array = grow(deque, array, top, bottom);
		if (!array) return false;
	}
	put(array, bottom, item);
#ifdef WRONG_PUSH_WITHOUT_FENCE
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
#else
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
#endif
	return true;
}

/* The last item is for whoever moves `top` past it. */
static bool win(deque *deque, size_t top)
{
#ifdef WRONG_LAST_ITEM_FOR_BOTH
	atomic_store(&deque->top, top + 1);
	return true;
#else
	return atomic_compare_exchange_strong(&deque->top, &top, top + 1);
#endif
}

void *deque_pop(deque *deque)
{
	size_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
	struct deque_array *array = atomic_load_explicit(&deque->array, memory_order_relaxed);
	/* Announced before looking at `top`: a thief looks at them the other way round. */
	atomic_store_explicit(&deque->bottom, bottom, memory_order_seq_cst);
	size_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
	void *item = NULL;
	if (top <= bottom) {
		item = get(array, bottom);
		if (top < bottom) return item;
		if (!win(deque, top)) item = NULL;
	}
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
	return item;
}

deque_result deque_steal(deque *deque, void **item)
{
	size_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
	size_t bottom = atomic_load_explicit(&deque->bottom, memory_order_seq_cst);
	if (top >= bottom) return DEQUE_EMPTY;
	/* Read before it is won: afterwards the owner may put something else in its place. */
	*item = get(atomic_load_explicit(&deque->array, memory_order_acquire), top);
	return atomic_compare_exchange_strong(&deque->top, &top, top + 1) ? DEQUE_GOT : DEQUE_LOST;
}

size_t deque_size(deque *deque)
{
	size_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
	size_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
	return bottom > top ? bottom - top : 0;
}
