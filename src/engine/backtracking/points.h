/* SPDX-License-Identifier: MIT
 *
 * Where strategies within bounds add backtrack points: before the events that a pending operation depends on, at the
 * beginnings of blocks, and before releases.
 */
#ifndef MZ_ENGINE_BACKTRACKING_POINTS_H
#define MZ_ENGINE_BACKTRACKING_POINTS_H

#include "engine/backtracking/backtrack.h"

/* How an event and a pending operation depend on each other. MZ_RELEASED means that they were never enabled together,
 * because the event let the operation pass. */
enum mz_dependence { MZ_INDEPENDENT, MZ_RELEASED, MZ_DEPENDENT };

enum mz_dependence mz_dependence(const struct mz_event *event, const struct mz_pending *pending);

/* A list of events. All zero: none. */
struct mz_points {
	uint32_t *at;
	size_t count, capacity;
};

void mz_points_release(struct mz_points *points);

/* Makes the list those `count` events. When there is no memory, the execution has failed. */
void mz_points_set(struct mz_points *points, struct mz_execution *x, const uint32_t *events, size_t count);

/* Makes the list the latest event of each other thread that an operation of `thread` depends on, even if that event
 * happens before the operation in another way. When there is no memory, the execution has failed. */
void mz_points_find_latest(struct mz_points *points, struct mz_execution *x, uint32_t thread,
                           const struct mz_pending *pending);

/* Returns the last event before event i that is no branch on inputs, or MZ_NONE. Within bounds branches are made at once, so
 * they belong to that event. */
uint32_t mz_last_step(const struct mz_execution *x, uint32_t i);

/* Returns where the latest block before event i, which is not the first, began; i if there is nothing but branches before it.
 * A block is a series of steps that one thread made without a switch; branches on inputs are no steps. */
uint32_t mz_block_before(const struct mz_execution *x, uint32_t i);

/* To be called when an edge is reported. If the thread of the last event came to a join or a barrier with that event, and
 * had not to wait there because of what another thread had done, it returns the event of the other thread: had the last
 * event come before it, its thread would have had to wait. MZ_NONE if the edge does not show such an event. All who meet
 * at a barrier are ends of edges, but not all edges are of the thread that came last. */
uint32_t mz_not_awaited(const struct mz_execution *x, uint32_t before, uint32_t after);

/* Returns whether the last event may enable another thread, now or later: with `spins`, there are threads that spin,
 * and any write may. If the thread of the event is absent by now, it may have ended, and another may join it. To be
 * called before the last event's successor has a node. */
bool mz_releases(const struct mz_backtrack *b, const struct mz_view *view, bool spins);

#endif
