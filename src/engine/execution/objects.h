/* SPDX-License-Identifier: MIT
 *
 * The accesses of the current execution by object: for each object, from the latest back to the first.
 *
 * The accesses of an object that touch the same bytes form a *lane*, and each lane is a chain. So that neither a reader
 * has to pass other readers, nor a weak access other weak ones, nor a thread the accesses of its neighbours in the same
 * word:
 *   - each access links to the previous one of its lane, to the previous one that is not a read, and to the previous
 *     one that is not weak;
 *   - what is older than a write that covers all bytes of interest is never visited.
 * Taking back the latest access restores the lane's head from its link: there is no undo log. Objects and lanes stay
 * once they are known, with an empty chain.
 */
#ifndef MZ_ENGINE_EXECUTION_OBJECTS_H
#define MZ_ENGINE_EXECUTION_OBJECTS_H

#include "base/table.h"
#include "trace/event.h"

#define MZ_NONE UINT32_MAX

struct mz_lane {
	uint32_t head; /* latest access, or MZ_NONE */
	uint32_t next; /* lane of the same object, or MZ_NONE */
	uint8_t mask;
};

struct mz_access_link {
	uint32_t lane;
	uint32_t event;    /* index of the event the access belongs to */
	uint32_t previous; /* access of the same lane, or MZ_NONE */
	/* the latest access of the lane before it that is a write or a weak write, or MZ_NONE */
	uint32_t previous_write;
	uint32_t previous_strong; /* the latest access of the lane before it that is not weak, or MZ_NONE */
};

struct mz_objects {
	struct mz_table first; /* objects: 1 + their first lane */
	struct mz_lane *lanes;
	size_t nlanes, lanes_capacity;
	struct mz_access *accesses;   /* all accesses of the execution in order */
	struct mz_access_link *links; /* same index */
	size_t naccesses, accesses_capacity, links_capacity;
	uint64_t recent_object; /* the object that was looked up last */
	uint32_t recent_lane;   /* the first lane of that object */
};

void mz_objects_init(struct mz_objects *objects);
void mz_objects_release(struct mz_objects *objects);

/* Appends an access of event `event`. Returns false when there is no memory. */
bool mz_objects_push(struct mz_objects *objects, uint32_t event, const struct mz_access *access);
/* Takes back all but the first `count` accesses. */
void mz_objects_truncate(struct mz_objects *objects, size_t count);

/* Returns the first lane of an object, or MZ_NONE. */
uint32_t mz_objects_lane(struct mz_objects *objects, uint64_t object);

/* A list of events. */
struct mz_events {
	uint32_t *at;
	size_t count, capacity;
};

/* Appends to `rivals` the events that conflict with `access`. Some events are left out that are ordered before another
 * of them in any case. `*lanes` is raised by the number of chains they come from: the events from one chain are in
 * descending order. Returns false when there is no memory. */
bool mz_objects_rivals(struct mz_objects *objects, const struct mz_access *access, struct mz_events *rivals,
                       unsigned *lanes);

/* Appends the events that wrote what `access` reads, from event `from` on. False when there is no memory. */
bool mz_objects_writes(struct mz_objects *objects, const struct mz_access *access, uint32_t from,
                       struct mz_events *writes);

/* Returns the latest access of an object that is always used as a whole, or MZ_NONE. */
static inline uint32_t mz_objects_latest(struct mz_objects *objects, uint64_t object)
{
	uint32_t lane = mz_objects_lane(objects, object);
	return lane == MZ_NONE ? MZ_NONE : objects->lanes[lane].head;
}

/* Appends an event. False when there is no memory. */
bool mz_events_add(struct mz_events *events, uint32_t event);
/* Sorts events by their number, the largest first. */
void mz_events_latest_first(uint32_t *at, size_t count);

/* Ends the process if an invariant does not hold. `events` is the number of events of the execution. */
void mz_objects_check(const struct mz_objects *objects, uint32_t events);

#endif
