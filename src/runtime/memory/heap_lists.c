/* SPDX-License-Identifier: MIT */
#include "runtime/memory/heap_lists.h"
#include "runtime/core/core.h"

struct list {
	uint32_t room;
	uint32_t count;
	size_t capacity;
	uint8_t **blocks; /* the block freed last is the last one */
};

static struct list *lists; /* sorted by `room`, so that the order does not depend on the execution */
static size_t nlists, lists_capacity;

/* Returns the index at which the list for `room` is, or would be. */
static size_t place_of(uint32_t room)
{
	size_t low = 0, high = nlists;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lists[middle].room < room)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct list *list_of(uint32_t room)
{
	size_t at = place_of(room);
	if (at < nlists && lists[at].room == room) return &lists[at];
	mz_array_require(&lists, &lists_capacity, nlists + 1);
	for (size_t i = nlists++; i > at; i--) lists[i] = lists[i - 1];
	lists[at] = (struct list){.room = room};
	return &lists[at];
}

static void reserve(struct list *list, size_t count)
{
	mz_array_require(&list->blocks, &list->capacity, count);
}

uint32_t mz_heap_list_count(uint32_t room)
{
	size_t at = place_of(room);
	return at < nlists && lists[at].room == room ? lists[at].count : 0;
}

void mz_heap_list_push(uint32_t room, uint8_t *start)
{
	struct list *list = list_of(room);
	reserve(list, list->count + 1UL);
	list->blocks[list->count++] = start;
}

uint8_t *mz_heap_list_pop(uint32_t room)
{
	struct list *list = list_of(room);
	return list->blocks[--list->count];
}

void mz_heap_lists_reset(void)
{
	for (size_t i = 0; i < nlists; i++) lists[i].count = 0;
}

struct mz_key mz_heap_lists_hash(void)
{
	struct mz_key hash = {0, 0};
	for (size_t i = 0; i < nlists; i++) {
		if (!lists[i].count) continue;
		hash = mz_hash_pair(hash, lists[i].room, lists[i].count);
		hash = mz_hash_bytes(lists[i].blocks, lists[i].count * sizeof *lists[i].blocks, hash);
	}
	return hash;
}

void mz_heap_lists_store(struct mz_state *state)
{
	uint64_t filled = 0;
	for (size_t i = 0; i < nlists; i++) filled += lists[i].count > 0;
	mz_state_put(state, &filled, sizeof filled);
	for (size_t i = 0; i < nlists; i++) {
		const uint32_t head[2] = {lists[i].room, lists[i].count};
		if (!lists[i].count) continue;
		mz_state_put(state, head, sizeof head);
		mz_state_put(state, lists[i].blocks, lists[i].count * sizeof *lists[i].blocks);
	}
}

void mz_heap_lists_load(struct mz_state *state)
{
	uint64_t filled;
	mz_heap_lists_reset();
	mz_state_get(state, &filled, sizeof filled);
	while (filled--) {
		uint32_t head[2];
		mz_state_get(state, head, sizeof head);
		struct list *list = list_of(head[0]);
		reserve(list, head[1]);
		list->count = head[1];
		mz_state_get(state, list->blocks, head[1] * sizeof *list->blocks);
	}
}
