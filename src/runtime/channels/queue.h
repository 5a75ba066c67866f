/* SPDX-License-Identifier: MIT
 *
 * One direction of a pipe or socket, or the number of an eventfd: what was written and not read yet. It is filled and
 * emptied as Linux does it; who has to wait for that is not known here.
 *
 * A pipe has pages, 16 unless it was asked for another number. What is written is added to the last page if all that
 * goes beyond whole pages fits there, else it gets pages of its own; so it is full when all pages are in use, however
 * little is in them. A stream has a number of bytes. Datagrams and packets are a number of messages.
 */
#ifndef MZ_RUNTIME_CHANNELS_QUEUE_H
#define MZ_RUNTIME_CHANNELS_QUEUE_H

#include "runtime/core/core.h"
#include "trace/channel.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MZ_QUEUE_PAGE 4096

struct mz_queue {
	uint64_t name;   /* see trace/channel.h; 0: the queue is not in use */
	uint8_t kind;    /* enum mz_channel */
	bool ended;      /* nobody will write to it any more */
	bool broken;     /* nobody will read it */
	bool refused;    /* as `broken`, for datagrams: writing fails with ECONNREFUSED */
	bool reset;      /* the writer has gone and bytes were lost: the next read fails, once, with ECONNRESET */
	bool one_by_one; /* of an eventfd: EFD_SEMAPHORE */
	bool by_edges;   /* an edge-triggered epoll watches the queue */
	uint32_t limit;  /* most pages, bytes or messages that the queue holds */
	uint64_t count;  /* the counter of an eventfd */
	uint32_t first;  /* number of bytes of the first page that were read already */
	uint32_t nparts; /* pages, or messages */
	uint64_t size;   /* bytes in it */
	uint32_t arrivals, departures; /* 1, and while by_edges one more for each write, or read that makes room */

	/* room that lasts */
	uint8_t *bytes;
	size_t capacity;
	uint32_t *ends; /* for each page, where its bytes end in `bytes`; for each message, its length */
	size_t ends_capacity;
};

/* Makes the queue as new and empty. */
void mz_queue_init(struct mz_queue *queue, enum mz_channel kind, uint64_t name);

/* Reports whether a read would not have to wait: there is something to read, or nothing more will come. */
bool mz_queue_is_readable(const struct mz_queue *queue);
/* Reports whether poll would call the queue writable. */
bool mz_queue_is_writable(const struct mz_queue *queue);
/* Returns the state of one of the queue's objects, see trace/channel.h. */
uint64_t mz_queue_state(const struct mz_queue *queue, enum mz_channel_part part);

/* Returns the value that MZ_CHANNEL_ROOM must exceed before a write of `size` bytes (of an eventfd: of `value`) can
 * begin, or continue if `more`. */
uint64_t mz_queue_need(const struct mz_queue *queue, size_t size, bool more, uint64_t value);

/* Appends as many of the bytes as there is room for; a message is appended whole. The caller has waited until there is
 * room, see mz_queue_need(). With `more`, the bytes continue an earlier write. Returns how many were appended. */
size_t mz_queue_put(struct mz_queue *queue, const uint8_t *from, size_t size, bool more);
/* Copies the first bytes to `to` and, unless `peek`, removes them. The rest of a longer message is lost; `*whole`
 * becomes the message's length, or without messages the number of bytes in the queue. Returns how many bytes were
 * copied. */
size_t mz_queue_get(struct mz_queue *queue, uint8_t *to, size_t size, bool peek, size_t *whole);

/* Write to, and read from, an eventfd. */
void mz_queue_add(struct mz_queue *queue, uint64_t value);
uint64_t mz_queue_subtract(struct mz_queue *queue);

/* Notes that nothing will be written to the queue any more; and that nothing will be read from it. */
void mz_queue_end(struct mz_queue *queue);
void mz_queue_break(struct mz_queue *queue);

/* See state.h; and what tells states apart. */
void mz_queue_store(const struct mz_queue *queue, struct mz_state *state);
void mz_queue_load(struct mz_queue *queue, struct mz_state *state);
void mz_queue_identity(const struct mz_queue *queue, struct mz_state *state);

#endif
