/* SPDX-License-Identifier: MIT
 *
 * A ring of cells (after Vyukov's bounded queue). Positions only grow; position p is in cell p modulo the capacity.
 * Each cell has a turn, which says what it is ready for:
 *
 *     turn == p                 empty, for whoever pushes at p
 *     turn == p + 1             full, for whoever pops at p
 *     turn == p + capacity      empty again: p + capacity is the next position of this cell
 *
 * A producer takes its position by advancing `head`, and then has the cell for itself until it sets the turn, with
 * release order, which a consumer reads with acquire order; and the other way round. A queue is full when the cell at
 * `head` still has an item of the round before, empty when the one at `tail` has none.
 *
 * `head` has a bit for "closed", so that no position can be taken after closing.
 */
#include "queue.h"
#include "event.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CLOSED 1UL /* in `head`, whose positions are shifted by one bit */
#define LINE 64

struct cell {
	atomic_size_t turn;
	char item[];
};

struct queue {
	size_t mask, size, stride;
	event filled, emptied;
	_Alignas(LINE) atomic_size_t head; /* the next to push at, and the bit */
	_Alignas(LINE) atomic_size_t tail; /* the next to pop from */
	_Alignas(LINE) char cells[];
};

static struct cell *cell_at(queue *queue, size_t position)
{
	return (struct cell *)(queue->cells + (position & queue->mask) * queue->stride);
}

/* How far the cell is from being ready for `turn`: negative, not yet; positive, somebody else was quicker. */
static ptrdiff_t distance(struct cell *cell, size_t turn)
{
	return (ptrdiff_t)(atomic_load_explicit(&cell->turn, memory_order_acquire) - turn);
}

static size_t round_up(size_t capacity)
{
	size_t rounded = 2;
	while (rounded < capacity) rounded *= 2;
	return rounded;
}

queue *queue_new(size_t capacity, size_t size)
{
	if (capacity > SIZE_MAX / 4 || size > SIZE_MAX / 4) return NULL;
	capacity = round_up(capacity);
	size_t align = sizeof(size_t), stride = (sizeof(struct cell) + size + align - 1) / align * align;
	if (stride > (SIZE_MAX / 2 - sizeof(struct queue)) / capacity) return NULL;
	size_t bytes = (sizeof(struct queue) + capacity * stride + LINE - 1) / LINE * LINE;
	queue *queue = aligned_alloc(LINE, bytes);
	if (!queue) return NULL;
	queue->mask = capacity - 1;
	queue->size = size;
	queue->stride = stride;
	event_init(&queue->filled);
	event_init(&queue->emptied);
	atomic_init(&queue->head, 0);
	atomic_init(&queue->tail, 0);
	for (size_t i = 0; i < capacity; i++) atomic_init(&cell_at(queue, i)->turn, i);
	return queue;
}

void queue_free(queue *queue)
{
	event_destroy(&queue->emptied);
	event_destroy(&queue->filled);
	free(queue);
}

/* ---- one item, without waiting ---- */

/* The cell is the producer's when this returns QUEUE_OK. */
static queue_status claim_push(queue *queue, struct cell **cell, size_t *position)
{
	size_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
	for (;;) {
		if (head & CLOSED) return QUEUE_CLOSED;
		*position = head >> 1;
		*cell = cell_at(queue, *position);
		ptrdiff_t ahead = distance(*cell, *position);
		if (ahead < 0) return QUEUE_FULL;
		if (ahead > 0) {
			head = atomic_load_explicit(&queue->head, memory_order_relaxed);
		} else if (atomic_compare_exchange_strong_explicit(&queue->head, &head, head + 2, memory_order_relaxed,
		                                                   memory_order_relaxed)) {
			return QUEUE_OK;
		}
	}
}

static queue_status claim_pop(queue *queue, struct cell **cell, size_t *position)
{
	*position = atomic_load_explicit(&queue->tail, memory_order_relaxed);
	for (;;) {
		*cell = cell_at(queue, *position);
		ptrdiff_t ahead = distance(*cell, *position + 1);
		if (ahead < 0) return QUEUE_EMPTY;
#ifdef WRONG_POP_WITHOUT_EXCHANGE
		if (ahead == 0) {
			atomic_store_explicit(&queue->tail, *position + 1, memory_order_relaxed);
			return QUEUE_OK;
		}
#else
		if (ahead == 0 && atomic_compare_exchange_strong_explicit(&queue->tail, position, *position + 1,
		                                                          memory_order_relaxed, memory_order_relaxed))
			return QUEUE_OK;
#endif
		if (ahead > 0) *position = atomic_load_explicit(&queue->tail, memory_order_relaxed);
	}
}

static queue_status push(queue *queue, const void *item)
{
	struct cell *cell;
	size_t position;
	queue_status status = claim_push(queue, &cell, &position);
	if (status != QUEUE_OK) return status;
#ifdef WRONG_TURN_BEFORE_ITEM
	atomic_store_explicit(&cell->turn, position + 1, memory_order_release);
	memcpy(cell->item, item, queue->size); /* @push */
#else
	memcpy(cell->item, item, queue->size);
	atomic_store_explicit(&cell->turn, position + 1, memory_order_release);
#endif
	return QUEUE_OK;
}

static queue_status pop(queue *queue, void *item)
{
	struct cell *cell;
	size_t position;
	queue_status status = claim_pop(queue, &cell, &position);
	if (status != QUEUE_OK) return status;
	memcpy(item, cell->item, queue->size); /* @pop */
	atomic_store_explicit(&cell->turn, position + queue->mask + 1, memory_order_release);
	return QUEUE_OK;
}

/* Empty, and closed, and nobody who took a position before it was closed has yet to fill it. */
static bool is_drained(queue *queue)
{
	size_t head = atomic_load(&queue->head);
#ifdef WRONG_DRAINED_TOO_EARLY
	return head & CLOSED;
#else
	return head & CLOSED && head >> 1 == atomic_load(&queue->tail);
#endif
}

queue_status queue_try_push(queue *queue, const void *item)
{
	queue_status status = push(queue, item);
	if (status == QUEUE_OK) event_notify(&queue->filled);
	return status;
}

queue_status queue_try_pop(queue *queue, void *item)
{
	queue_status status = pop(queue, item);
	if (status == QUEUE_OK) event_notify(&queue->emptied);
	if (status == QUEUE_EMPTY && is_drained(queue)) return QUEUE_CLOSED;
	return status;
}

/* ---- waiting ---- */

queue_status queue_push(queue *queue, const void *item)
{
	queue_status status;
	while ((status = queue_try_push(queue, item)) == QUEUE_FULL) {
		unsigned key = event_prepare(&queue->emptied);
		status = queue_try_push(queue, item);
		if (status != QUEUE_FULL) {
			event_cancel(&queue->emptied);
			break;
		}
		event_wait(&queue->emptied, key);
	}
	return status;
}

queue_status queue_pop(queue *queue, void *item)
{
	queue_status status;
	while ((status = queue_try_pop(queue, item)) == QUEUE_EMPTY) {
		unsigned key = event_prepare(&queue->filled);
		status = queue_try_pop(queue, item);
		if (status != QUEUE_EMPTY) {
			event_cancel(&queue->filled);
			break;
		}
		event_wait(&queue->filled, key);
	}
	return status;
}

/* ---- several ---- */

size_t queue_try_push_many(queue *queue, const void *items, size_t n)
{
	size_t done = 0;
	while (done < n && push(queue, (const char *)items + done * queue->size) == QUEUE_OK) done++;
	if (done > 0) event_notify(&queue->filled);
	return done;
}

size_t queue_try_pop_many(queue *queue, void *items, size_t n)
{
	size_t done = 0;
	while (done < n && pop(queue, (char *)items + done * queue->size) == QUEUE_OK) done++;
	if (done > 0) event_notify(&queue->emptied);
	return done;
}

/* ---- the whole ---- */

void queue_close(queue *queue)
{
	atomic_fetch_or(&queue->head, CLOSED);
	event_notify(&queue->filled);
	event_notify(&queue->emptied);
}

bool queue_is_closed(queue *queue)
{
	return atomic_load(&queue->head) & CLOSED;
}

size_t queue_capacity(const queue *queue)
{
	return queue->mask + 1;
}

size_t queue_length(queue *queue)
{
	size_t tail = atomic_load(&queue->tail), head = atomic_load(&queue->head) >> 1;
	return head > tail ? head - tail : 0;
}
