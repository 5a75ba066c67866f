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
	uint64_t name;                 /* see trace/channel.h; 0: it is not in use */
	uint8_t kind;                  /* enum mz_channel */
	bool ended;                    /* nobody will write to it any more */
	bool broken;                   /* nobody will read it */
	bool refused;                  /* likewise, and no pipe: who writes is told otherwise */
	bool reset;                    /* something was lost with who wrote it: whoever reads is told, once */
	bool one_by_one;               /* of an eventfd: a semaphore */
	bool by_edges;                 /* somebody wants to be told of arrivals */
	uint32_t limit;                /* pages, bytes or messages */
	uint64_t count;                /* of an eventfd */
	uint32_t first;                /* bytes of the first page that were read */
	uint32_t nparts;               /* pages, or messages */
	uint64_t size;                 /* bytes in it */
	uint32_t arrivals, departures; /* 1, or counted while by_edges */

	/* room that lasts */
	uint8_t *bytes;
	size_t capacity;
	uint32_t *ends; /* where the bytes of each page end in it; lengths of messages */
	size_t ends_capacity;
};

/* As new: with nothing in it. */
void mz_queue_init(struct mz_queue *queue, enum mz_channel kind, uint64_t name);

bool mz_queue_is_readable(const struct mz_queue *queue);
/* By the standards of poll. */
bool mz_queue_is_writable(const struct mz_queue *queue);
/* The state of an object of it, see trace/channel.h. */
uint64_t mz_queue_state(const struct mz_queue *queue, enum mz_channel_part part);

/* What ROOM has to exceed for the beginning of what is to be written, or for more of it, to be. */
uint64_t mz_queue_need(const struct mz_queue *queue, size_t size, bool more, uint64_t value);

/* How many of the bytes it takes now; there is room. `more`: they go on from others. */
size_t mz_queue_put(struct mz_queue *queue, const uint8_t *from, size_t size, bool more);
/* Takes the first bytes out, or (`peek`) only looks. Of a message that is longer the rest is lost; `*whole` is how long
 * it is. */
size_t mz_queue_get(struct mz_queue *queue, uint8_t *to, size_t size, bool peek, size_t *whole);

/* Of an eventfd. */
void mz_queue_add(struct mz_queue *queue, uint64_t value);
uint64_t mz_queue_subtract(struct mz_queue *queue);

void mz_queue_end(struct mz_queue *queue);
void mz_queue_break(struct mz_queue *queue);

/* See state.h; and what tells states apart. */
void mz_queue_store(const struct mz_queue *queue, struct mz_state *state);
void mz_queue_load(struct mz_queue *queue, struct mz_state *state);
void mz_queue_identity(const struct mz_queue *queue, struct mz_state *state);

#endif
