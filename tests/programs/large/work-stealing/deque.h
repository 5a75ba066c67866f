/* SPDX-License-Identifier: MIT
 *
 * A deque for work stealing. One thread, its owner, pushes and pops at the bottom; any other may steal from the top. It
 * grows as needed.
 */
#ifndef DEQUE_H
#define DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct deque_array;

typedef struct deque {
	atomic_size_t top, bottom;
	_Atomic(struct deque_array *) array;
} deque;

/* What a thief may come back with. */
typedef enum deque_result { DEQUE_EMPTY, DEQUE_GOT, DEQUE_LOST } deque_result;

/* For at least `capacity` items at first. False if there is no memory. */
bool deque_init(deque *deque, size_t capacity);

/* Nobody may use it any more. */
void deque_release(deque *deque);

/* By the owner. False if there is no memory to grow. */
bool deque_push(deque *deque, void *item);

/* By the owner. The youngest item, or NULL. */
void *deque_pop(deque *deque);

/* By anyone. The oldest item, unless there is none, or another thread was quicker: then it is worth trying again. */
deque_result deque_steal(deque *deque, void **item);

/* How many items there were a moment ago. */
size_t deque_size(deque *deque);

#endif
