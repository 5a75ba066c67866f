/* SPDX-License-Identifier: MIT
 *
 * Which leaf of a trunk is explored next, where that is to change from one place to another (MZ_ORDER_INTERLEAVED). Depth first,
 * what is behind the first branch of a program with inputs comes after everything behind all others. So a worker explores depth
 * first for a while only, then gives up what is left of its leaf, and takes another one. By turns that is
 *   - the first one, as depth first;
 *   - one at the end of a random path: at each node all branches that are open are equally likely, whatever is below them;
 *   - one whose branch on inputs goes where no execution has been, if some random paths lead to one;
 *   - the one nearest to the root that some random paths lead to.
 * How long it stays grows with what it has explored, so changing places costs less and less. All depends on the seed alone.
 *
 * What is explored, and how often, does not depend on the order: leaves of a trunk may be taken in any order (trunk.h), but not
 * before what sleeps for them is known.
 */
#ifndef MZ_ENGINE_BACKTRACKING_TRUNK_ROAM_H
#define MZ_ENGINE_BACKTRACKING_TRUNK_ROAM_H

#include "engine/backtracking/trunk.h"

/* Makes a worker change places. */
void mz_trunk_roam(struct mz_trunk_worker *worker, uint64_t seed);
/* Notes an event of an execution: `view` says at which place a branch on inputs is. Returns false when there is no memory. */
bool mz_trunk_roam_note(struct mz_trunk_roam *roam, const struct mz_event *event, const struct mz_view *view);

#endif
