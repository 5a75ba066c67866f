/* SPDX-License-Identifier: MIT
 *
 * The strategies there are, for those who choose one: by name, and by what they can do.
 */
#ifndef MZ_ENGINE_REGISTRY_H
#define MZ_ENGINE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

struct mz_strategy;

/* Return the strategy of that name, or NULL; the name of the n-th strategy, NULL past the last (for help texts); and
 * the name of a strategy. */
const struct mz_strategy *mz_strategy_find(const char *name);
const char *mz_strategy_name(size_t n);
const char *mz_strategy_name_of(const struct mz_strategy *strategy);

/* Returns the strategy of that name, or NULL; with `published`, as its source prints it, NULL if that does not differ.
 * Both forms have the same name. */
const struct mz_strategy *mz_strategy_asked(const char *name, bool published);
/* Returns whether the strategy may miss graphs within these bounds (bits of enum mz_bound_kind), with sleep sets or
 * without: only published forms do. */
bool mz_strategy_may_miss(const struct mz_strategy *strategy, unsigned bounds, bool sleeps);

/* Returns the strategy that explores when `asked` is asked for within bounds (bits of enum mz_bound_kind): itself if it
 * can honour them, or another one that does its work there, or NULL. */
const struct mz_strategy *mz_strategy_method(const struct mz_strategy *asked, unsigned bounds);
/* Returns a strategy that may need less memory than `method` within these bounds, or NULL. */
const struct mz_strategy *mz_strategy_substitute(const struct mz_strategy *method, unsigned bounds);

/* Returns whether the strategy has to know what threads are about to do. */
bool mz_strategy_foresees(const struct mz_strategy *strategy);

/* Return whether the strategy searches states (cartesian.h), so that mz_search_new() cannot be used; and whether it
 * visits every single state. */
bool mz_strategy_stateful(const struct mz_strategy *strategy);
bool mz_strategy_minimal(const struct mz_strategy *strategy);

/* Returns whether the strategy never gives up an execution as redundant, as long as it is told what threads wait
 * for. */
bool mz_strategy_never_redundant(const struct mz_strategy *strategy);

/* Returns whether the strategy can explore operations whose alternatives inputs decide. */
bool mz_strategy_explores_inputs(const struct mz_strategy *strategy);

/* Returns whether several workers that share a search by the strategy may happen to execute the same graph, although one never
 * does. */
bool mz_strategy_shares_graphs(const struct mz_strategy *strategy);

/* Returns whether several workers can share a search by the strategy within these bounds. */
bool mz_strategy_shares(const struct mz_strategy *strategy, unsigned bounds);

/* Returns the strategy by which several workers explore when `asked` is asked for within bounds: what mz_strategy_method()
 * returns if they can share that, or another one that reduces and that they can share, or NULL. */
const struct mz_strategy *mz_strategy_shared_method(const struct mz_strategy *asked, unsigned bounds);

/* Returns whether the strategy samples executions for as long as it may, and never is complete. */
bool mz_strategy_samples(const struct mz_strategy *strategy);

/* Returns whether the strategy promises that no two complete executions are equivalent: then the number of traces is
 * known without counting. */
bool mz_strategy_exact(const struct mz_strategy *strategy);
/* Returns whether the strategy leaves out executions whose graphs others have: those that remain are traces, some more
 * than once. */
bool mz_strategy_reduces(const struct mz_strategy *strategy);
/* Return which bounds the strategy can honour, as bits of enum mz_bound_kind, and which optimisations it can do
 * without, as bits of enum mz_opt. */
unsigned mz_strategy_bounds(const struct mz_strategy *strategy);
unsigned mz_strategy_opts(const struct mz_strategy *strategy);

#endif
