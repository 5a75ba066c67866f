/* SPDX-License-Identifier: MIT
 *
 * Counts happens-before graphs, whatever the strategy claims. The hash of a graph is the sum of the hashes of its
 * events, each of which says everything about one event: its thread, its operation, its objects, and what happens
 * before it. So it does not depend on the order in which the graph was executed, and is kept per depth.
 *
 * Counts local states, too, if asked: the local state of a thread is its last event with all that happens before it
 * (Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction, OOPSLA 2013, Section 2.2). Its hash is the sum of the
 * hashes of these events, which are a beginning of each thread.
 */
#ifndef MZ_ENGINE_GRAPHS_GRAPH_H
#define MZ_ENGINE_GRAPHS_GRAPH_H

#include "base/keyset.h"
#include "engine/execution/record.h"

/* All zero is ready for use. */
struct mz_graphs {
	struct mz_graph_depth *depths; /* [d]: after event d */
	size_t depths_capacity;
	struct mz_keyset seen;
	bool count_local; /* set by the user, before the first event */
	struct mz_keyset local;
};

void mz_graphs_release(struct mz_graphs *graphs);

/* To be called after each new event of the execution. Returns false when there is no memory. */
bool mz_graphs_observe(struct mz_graphs *graphs, const struct mz_execution *x);

/* Returns the hash of the execution's graph. */
struct mz_key mz_graphs_hash(const struct mz_graphs *graphs, const struct mz_execution *x);

/* Counts the graph of the execution, which is complete, and says in `*added` whether it is new. Returns false when there is
 * no memory. */
bool mz_graphs_count(struct mz_graphs *graphs, const struct mz_execution *x, bool *added);

#endif
