/* SPDX-License-Identifier: MIT */
#include "runtime/channels/queue.h"
#include "runtime/core/core.h"

#define PIPE_PAGES 16
#define SOCKET_BYTES 212992 /* bytes that a stream holds; no message may be longer */
#define SOCKET_MESSAGES 10
#define EVENT_MOST (UINT64_MAX - 1)
#define MOST_EDGES INT16_MAX

void mz_queue_init(struct mz_queue *queue, enum mz_channel kind, uint64_t name)
{
	const struct mz_queue room = *queue;
	*queue = (struct mz_queue){.name = name,
	                           .kind = (uint8_t)kind,
	                           .arrivals = 1,
	                           .departures = 1,
	                           .bytes = room.bytes,
	                           .capacity = room.capacity,
	                           .ends = room.ends,
	                           .ends_capacity = room.ends_capacity};
	queue->limit = kind == MZ_CHANNEL_PIPE     ? PIPE_PAGES
	               : kind == MZ_CHANNEL_STREAM ? SOCKET_BYTES
	                                           : SOCKET_MESSAGES;
}

/* ---- how it stands ---- */

static bool has_messages(const struct mz_queue *queue)
{
	return queue->kind == MZ_CHANNEL_DATAGRAM || queue->kind == MZ_CHANNEL_PACKET;
}

static bool is_empty(const struct mz_queue *queue)
{
	if (queue->kind == MZ_CHANNEL_EVENT) return queue->count == 0;
	return has_messages(queue) ? queue->nparts == 0 : queue->size == 0;
}

bool mz_queue_is_readable(const struct mz_queue *queue)
{
	return !is_empty(queue) || queue->ended || queue->reset;
}

bool mz_queue_is_writable(const struct mz_queue *queue)
{
	if (queue->broken || queue->refused) return true;
	switch (queue->kind) {
	case MZ_CHANNEL_EVENT: return queue->count < EVENT_MOST;
	case MZ_CHANNEL_STREAM: return queue->size * 4 <= queue->limit;
	default: return queue->nparts < queue->limit;
	}
}

/* Returns how many bytes a write of at most a page can have; of an eventfd, what can be added to it. */
static uint64_t room_of(const struct mz_queue *queue)
{
	if (queue->broken || queue->refused) return UINT64_MAX;
	switch (queue->kind) {
	case MZ_CHANNEL_EVENT: return EVENT_MOST - queue->count;
	case MZ_CHANNEL_STREAM: return queue->limit - queue->size;
	case MZ_CHANNEL_PIPE:
		if (queue->nparts < queue->limit) return MZ_QUEUE_PAGE;
		return MZ_QUEUE_PAGE - queue->ends[queue->nparts - 1];
	default: return queue->nparts < queue->limit ? MZ_QUEUE_PAGE : 0;
	}
}

uint64_t mz_queue_state(const struct mz_queue *queue, enum mz_channel_part part)
{
	uint64_t room = room_of(queue);
	switch (part) {
	case MZ_CHANNEL_DATA: return mz_queue_is_readable(queue) ? queue->arrivals : 0;
	case MZ_CHANNEL_SPACE: return mz_queue_is_writable(queue) ? queue->departures : 0;
	default: return 1 + (room < MZ_CHANNEL_ATOMIC ? room : MZ_CHANNEL_ATOMIC);
	}
}

/* The state of an object counts room up to a limit only: a wait for more than that is refused. */
uint64_t mz_queue_need(const struct mz_queue *queue, size_t size, bool more, uint64_t value)
{
	switch (queue->kind) {
	case MZ_CHANNEL_EVENT:
		if (value > MZ_CHANNEL_ATOMIC && room_of(queue) < value)
			mz_unsupported("it waits until it can add more than 4096 to an eventfd");
		return value < MZ_CHANNEL_ATOMIC ? value : MZ_CHANNEL_ATOMIC;
	case MZ_CHANNEL_PIPE: return !more && size % MZ_QUEUE_PAGE ? size % MZ_QUEUE_PAGE : MZ_QUEUE_PAGE;
	default: return 1;
	}
}

/* ---- what goes in and out ---- */

static void count(const struct mz_queue *queue, uint32_t *edges)
{
	if (!queue->by_edges) return;
	if (++*edges == MOST_EDGES) mz_unsupported("it writes too often to what is watched by edges");
}

static void add_part(struct mz_queue *queue, size_t size)
{
	mz_array_require(&queue->ends, &queue->ends_capacity, queue->nparts + 1);
	queue->ends[queue->nparts++] = (uint32_t)size;
}

static void append(struct mz_queue *queue, const uint8_t *from, size_t size)
{
	mz_array_require(&queue->bytes, &queue->capacity, queue->size + size);
	MZ_REAL(memcpy)(queue->bytes + queue->size, from, size);
	queue->size += size;
}

static size_t put_pages(struct mz_queue *queue, const uint8_t *from, size_t size, bool more)
{
	size_t done = 0, rest = size % MZ_QUEUE_PAGE;
	uint32_t *last = queue->nparts ? &queue->ends[queue->nparts - 1] : NULL;
	if (rest && !more && last && *last + rest <= MZ_QUEUE_PAGE) {
		*last += (uint32_t)rest;
		append(queue, from, rest);
		done = rest;
	}
	while (done < size && queue->nparts < queue->limit) {
		size_t here = size - done < MZ_QUEUE_PAGE ? size - done : MZ_QUEUE_PAGE;
		append(queue, from + done, here);
		add_part(queue, here);
		done += here;
	}
	return done;
}

size_t mz_queue_put(struct mz_queue *queue, const uint8_t *from, size_t size, bool more)
{
	count(queue, &queue->arrivals);
	if (queue->kind == MZ_CHANNEL_PIPE) return put_pages(queue, from, size, more);
	if (has_messages(queue))
		add_part(queue, size);
	else if (size > queue->limit - queue->size)
		size = queue->limit - queue->size;
	append(queue, from, size);
	return size;
}

static void remove_parts(struct mz_queue *queue, uint32_t n)
{
	queue->nparts -= n;
	MZ_REAL(memmove)(queue->ends, queue->ends + n, queue->nparts * sizeof *queue->ends);
}

static void remove_bytes(struct mz_queue *queue, size_t size)
{
	queue->size -= size;
	MZ_REAL(memmove)(queue->bytes, queue->bytes + size, queue->size);
}

/* Frees the pages that were read to their ends. */
static void free_pages(struct mz_queue *queue, size_t size)
{
	uint32_t n = 0;
	while (size > 0) {
		uint32_t left = queue->ends[n] - queue->first;
		if (size < left) {
			queue->first += (uint32_t)size;
			break;
		}
		size -= left;
		queue->first = 0;
		n++;
	}
	remove_parts(queue, n);
}

size_t mz_queue_get(struct mz_queue *queue, uint8_t *to, size_t size, bool peek, size_t *whole)
{
	bool was_full = queue->kind == MZ_CHANNEL_PIPE && queue->nparts == queue->limit;
	size_t here = has_messages(queue) && queue->nparts ? queue->ends[0] : queue->size;
	size_t n = size < here ? size : here;
	*whole = here;
	MZ_REAL(memcpy)(to, queue->bytes, n);
	if (peek) return n;
	if (is_empty(queue)) return 0;
	if (queue->kind == MZ_CHANNEL_PIPE)
		free_pages(queue, n);
	else if (has_messages(queue))
		remove_parts(queue, 1);
	remove_bytes(queue, has_messages(queue) ? here : n);
	if (was_full || queue->kind != MZ_CHANNEL_PIPE) count(queue, &queue->departures);
	return n;
}

void mz_queue_add(struct mz_queue *queue, uint64_t value)
{
	queue->count += value;
	count(queue, &queue->arrivals);
}

uint64_t mz_queue_subtract(struct mz_queue *queue)
{
	uint64_t value = queue->one_by_one ? 1 : queue->count;
	queue->count -= value;
	count(queue, &queue->departures);
	return value;
}

void mz_queue_end(struct mz_queue *queue)
{
	queue->ended = true;
	count(queue, &queue->arrivals);
}

void mz_queue_break(struct mz_queue *queue)
{
	queue->broken = true;
	count(queue, &queue->departures);
}

/* ---- states ---- */

void mz_queue_store(const struct mz_queue *queue, struct mz_state *state)
{
	mz_state_put(state, queue, sizeof *queue);
	mz_state_put(state, queue->ends, queue->nparts * sizeof *queue->ends);
	mz_state_put(state, queue->bytes, queue->size);
}

/* Needs no more room: what is loaded was there before. */
void mz_queue_load(struct mz_queue *queue, struct mz_state *state)
{
	const struct mz_queue room = *queue;
	mz_state_get(state, queue, sizeof *queue);
	queue->bytes = room.bytes;
	queue->capacity = room.capacity;
	queue->ends = room.ends;
	queue->ends_capacity = room.ends_capacity;
	mz_state_get(state, queue->ends, queue->nparts * sizeof *queue->ends);
	mz_state_get(state, queue->bytes, queue->size);
}

/* The number of arrivals counts only as far as epolls have not reported them: see poll.c. */
void mz_queue_identity(const struct mz_queue *queue, struct mz_state *state)
{
	const uint64_t known[] = {queue->name,
	                          queue->count,
	                          queue->size,
	                          queue->first,
	                          queue->nparts,
	                          (uint64_t)queue->limit << 8 | queue->ended | queue->broken << 1 |
	                              queue->refused << 2 | queue->reset << 3};
	mz_state_put(state, known, sizeof known);
	mz_state_put(state, queue->ends, queue->nparts * sizeof *queue->ends);
	mz_state_put(state, queue->bytes, queue->size);
}
