/* SPDX-License-Identifier: MIT
 *
 * A bounded queue for any number of producers and consumers. The operations whose names begin with `try` never wait and
 * take no lock; the others wait for room, or for items, and sleep while they do. A queue can be closed: it then takes
 * nothing any more, but what is in it can still be had.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct queue queue;

typedef enum queue_status {
	QUEUE_OK,
	QUEUE_FULL,
	QUEUE_EMPTY,
	QUEUE_CLOSED, /* for consumers: and empty */
} queue_status;

/* For `capacity` items of `size` bytes; the capacity is rounded up to a power of two, and is at least two. NULL if
 * there is no memory. */
queue *queue_new(size_t capacity, size_t size);

/* When nobody uses it any more. Items left in it are lost. */
void queue_free(queue *queue);

queue_status queue_try_push(queue *queue, const void *item);
queue_status queue_try_pop(queue *queue, void *item);

queue_status queue_push(queue *queue, const void *item);
queue_status queue_pop(queue *queue, void *item);

/* As many of n items as go in, or come out, without waiting; how many that were. They need not be neighbours in the
 * queue. */
size_t queue_try_push_many(queue *queue, const void *items, size_t n);
size_t queue_try_pop_many(queue *queue, void *items, size_t n);

/* Wakes everybody who waits. */
void queue_close(queue *queue);
bool queue_is_closed(queue *queue);

size_t queue_capacity(const queue *queue);

/* How many items there were a moment ago. */
size_t queue_length(queue *queue);

#endif
