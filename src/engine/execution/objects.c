/* SPDX-License-Identifier: MIT */
#include "engine/execution/objects.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"
#include "base/hash.h"

void mz_objects_init(struct mz_objects *objects)
{
	*objects = (struct mz_objects){.recent_lane = MZ_NONE};
}

void mz_objects_release(struct mz_objects *objects)
{
	mz_table_release(&objects->first);
	mz_free(objects->lanes);
	mz_free(objects->accesses);
	mz_free(objects->links);
	mz_objects_init(objects);
}

uint32_t mz_objects_lane(struct mz_objects *objects, uint64_t object)
{
	if (objects->recent_lane == MZ_NONE || objects->recent_object != object) {
		objects->recent_lane = (uint32_t)mz_table_find(&objects->first, mz_mix(object)) - 1;
		objects->recent_object = object;
	}
	return objects->recent_lane;
}

static bool lane_add(struct mz_objects *objects, uint64_t object, uint32_t first, uint8_t mask, uint32_t *lane)
{
	if (objects->nlanes == MZ_NONE) return false;
	if (!mz_array_reserve(&objects->lanes, &objects->lanes_capacity, objects->nlanes + 1)) return false;
	*lane = (uint32_t)objects->nlanes;
	objects->lanes[*lane] = (struct mz_lane){.head = MZ_NONE, .next = MZ_NONE, .mask = mask};
	if (first == MZ_NONE) {
		if (!mz_table_add(&objects->first, mz_mix(object), *lane + 1UL)) return false;
	} else {
		objects->lanes[*lane].next = objects->lanes[first].next;
		objects->lanes[first].next = *lane;
	}
	objects->nlanes++;
	return true;
}

static bool lane_of(struct mz_objects *objects, uint64_t object, uint8_t mask, uint32_t *lane)
{
	uint32_t first = mz_objects_lane(objects, object);
	for (*lane = first; *lane != MZ_NONE; *lane = objects->lanes[*lane].next) {
		if (objects->lanes[*lane].mask == mask) return true;
	}
	return lane_add(objects, object, first, mask, lane);
}

static bool reserve(struct mz_objects *objects)
{
	size_t need = objects->naccesses + 1;
	if (need <= objects->accesses_capacity && need <= objects->links_capacity) return true;
	if (need >= MZ_NONE) return false;
	if (!mz_array_reserve(&objects->accesses, &objects->accesses_capacity, need)) return false;
	if (!mz_array_reserve(&objects->links, &objects->links_capacity, need)) return false;
	return true;
}

static bool is_write(uint8_t kind)
{
	return kind == MZ_WRITE || kind == MZ_WEAK_WRITE;
}

/* Returns the access itself if it writes, else the latest one before it that does, or MZ_NONE. */
static uint32_t latest_write(const struct mz_objects *objects, uint32_t access)
{
	if (access == MZ_NONE || is_write(objects->accesses[access].kind)) return access;
	return objects->links[access].previous_write;
}

static bool is_strong(uint8_t kind)
{
	return kind == MZ_READ || kind == MZ_WRITE;
}

static uint32_t latest_strong(const struct mz_objects *objects, uint32_t access)
{
	if (access == MZ_NONE || is_strong(objects->accesses[access].kind)) return access;
	return objects->links[access].previous_strong;
}

bool mz_objects_push(struct mz_objects *objects, uint32_t event, const struct mz_access *access)
{
	uint32_t lane;
	if (!reserve(objects) || !lane_of(objects, access->object, access->mask, &lane)) return false;
	uint32_t new = (uint32_t)objects->naccesses++;
	uint32_t head = objects->lanes[lane].head;
	objects->accesses[new] = *access;
	objects->links[new] =
	    (struct mz_access_link){lane, event, head, latest_write(objects, head), latest_strong(objects, head)};
	objects->lanes[lane].head = new;
	return true;
}

void mz_objects_truncate(struct mz_objects *objects, size_t count)
{
	while (objects->naccesses > count) {
		const struct mz_access_link *link = &objects->links[--objects->naccesses];
		objects->lanes[link->lane].head = link->previous;
	}
}

bool mz_events_add(struct mz_events *events, uint32_t event)
{
	if (!mz_array_reserve(&events->at, &events->capacity, events->count + 1)) return false;
	events->at[events->count++] = event;
	return true;
}

/* Shell's sort, because there are few events, and they are nearly sorted. */
void mz_events_latest_first(uint32_t *at, size_t count)
{
	for (size_t gap = count / 2; gap > 0; gap /= 2) {
		for (size_t i = gap; i < count; i++) {
			uint32_t event = at[i];
			size_t to = i;
			for (; to >= gap && at[to - gap] < event; to -= gap) at[to] = at[to - gap];
			at[to] = event;
		}
	}
}

/* Returns the event of the latest strong write that alone covers all bytes of `mask`, or MZ_NONE. */
static uint32_t covering_write(const struct mz_objects *objects, uint32_t first, uint8_t mask)
{
	uint32_t latest = MZ_NONE;
	for (uint32_t l = first; l != MZ_NONE; l = objects->lanes[l].next) {
		if (mask & ~objects->lanes[l].mask) continue;
		uint32_t a = latest_write(objects, objects->lanes[l].head);
		while (a != MZ_NONE && objects->accesses[a].kind != MZ_WRITE) a = objects->links[a].previous_write;
		if (a != MZ_NONE && (latest == MZ_NONE || objects->links[a].event > latest)) {
			latest = objects->links[a].event;
		}
	}
	return latest;
}

/* Returns the access itself, or the latest one before it, that an access of this kind may conflict with. */
static uint32_t candidate(const struct mz_objects *objects, uint32_t access, uint8_t kind)
{
	if (kind == MZ_WRITE) return access;
	return kind == MZ_READ ? latest_write(objects, access) : latest_strong(objects, access);
}

/* Appends the events of one lane that conflict with an access of this kind, from the latest back to the first strong
 * write that is met, or to event `floor` (both included). */
static bool lane_rivals(const struct mz_objects *objects, uint32_t lane, uint8_t kind, uint32_t floor,
                        struct mz_events *rivals)
{
	uint32_t a = candidate(objects, objects->lanes[lane].head, kind);
	while (a != MZ_NONE) {
		const struct mz_access_link *link = &objects->links[a];
		uint8_t other = objects->accesses[a].kind;
		if (floor != MZ_NONE && link->event < floor) break;
		if (mz_kinds_conflict(kind, other) && !mz_events_add(rivals, link->event)) return false;
		if (other == MZ_WRITE) break;
		a = candidate(objects, link->previous, kind);
	}
	return true;
}

bool mz_objects_rivals(struct mz_objects *objects, const struct mz_access *access, struct mz_events *rivals,
                       unsigned *lanes)
{
	uint32_t first = mz_objects_lane(objects, access->object);
	if (first == MZ_NONE) return true;
	uint32_t floor = MZ_NONE;
	if (objects->lanes[first].next != MZ_NONE) floor = covering_write(objects, first, access->mask);
	for (uint32_t l = first; l != MZ_NONE; l = objects->lanes[l].next) {
		if (!(objects->lanes[l].mask & access->mask)) continue;
		++*lanes;
		if (!lane_rivals(objects, l, access->kind, floor, rivals)) return false;
	}
	return true;
}

bool mz_objects_writes(struct mz_objects *objects, const struct mz_access *access, uint32_t from,
                       struct mz_events *writes)
{
	uint8_t reads = mz_access_really(access) == MZ_WEAK_READ ? MZ_WEAK_READ : MZ_READ;
	for (uint32_t l = mz_objects_lane(objects, access->object); l != MZ_NONE; l = objects->lanes[l].next) {
		if (!(objects->lanes[l].mask & access->mask)) continue;
		uint32_t a = latest_write(objects, objects->lanes[l].head);
		for (; a != MZ_NONE && objects->links[a].event >= from; a = objects->links[a].previous_write) {
			if (!mz_kinds_conflict(reads, mz_access_really(&objects->accesses[a]))) continue;
			if (!mz_events_add(writes, objects->links[a].event)) return false;
		}
	}
	return true;
}

void mz_objects_check(const struct mz_objects *objects, uint32_t events)
{
	for (size_t l = 0; l < objects->nlanes; l++) {
		uint32_t head = objects->lanes[l].head;
		MZ_REQUIRE(head == MZ_NONE || (head < objects->naccesses && objects->links[head].lane == l));
	}
	for (size_t a = 0; a < objects->naccesses; a++) {
		const struct mz_access_link *link = &objects->links[a];
		MZ_REQUIRE(link->event < events);
		MZ_REQUIRE(link->previous == MZ_NONE || link->previous < a);
		MZ_REQUIRE(link->previous_write == latest_write(objects, link->previous));
		MZ_REQUIRE(link->previous_strong == latest_strong(objects, link->previous));
		MZ_REQUIRE(objects->lanes[link->lane].mask == objects->accesses[a].mask);
	}
}
