/* SPDX-License-Identifier: MIT
 *
 * The strategies there are.
 */
#include "engine/registry.h"
#include "engine/strategy.h"
#include <string.h>

extern const struct mz_strategy mz_strategy_bpor, mz_strategy_cartesian, mz_strategy_cbpor, mz_strategy_dfs,
    mz_strategy_dpor, mz_strategy_dpor_cr, mz_strategy_optimal, mz_strategy_pct, mz_strategy_pos, mz_strategy_random,
    mz_strategy_source, mz_strategy_states;

/* All of them, NULL at the end. */
static const struct mz_strategy *const strategies[] = {
    &mz_strategy_optimal,
    &mz_strategy_source,
    &mz_strategy_dpor_cr,
    &mz_strategy_dpor,
    &mz_strategy_cbpor,
    &mz_strategy_bpor,
    &mz_strategy_dfs,
    &mz_strategy_cartesian,
    &mz_strategy_states,
    &mz_strategy_random,
    &mz_strategy_pct,
    &mz_strategy_pos,
    NULL,
};

const struct mz_strategy *mz_strategy_find(const char *name)
{
	for (size_t n = 0; strategies[n]; n++) {
		if (strcmp(strategies[n]->name, name) == 0) return strategies[n];
	}
	return NULL;
}

const struct mz_strategy *mz_strategy_asked(const char *name, bool published)
{
	const struct mz_strategy *strategy = mz_strategy_find(name);
	return strategy && published ? strategy->published : strategy;
}

bool mz_strategy_may_miss(const struct mz_strategy *strategy, unsigned bounds, bool sleeps)
{
	return strategy->may_miss && strategy->may_miss(bounds, sleeps);
}

const char *mz_strategy_name(size_t n)
{
	for (size_t past = 0; past <= n; past++) {
		if (!strategies[past]) return NULL;
	}
	return strategies[n]->name;
}

const struct mz_strategy *mz_strategy_method(const struct mz_strategy *asked, unsigned bounds)
{
	if (!(bounds & ~asked->bounds)) return asked;
	return asked->delegates ? mz_strategy_substitute(NULL, bounds) : NULL;
}

const struct mz_strategy *mz_strategy_substitute(const struct mz_strategy *method, unsigned bounds)
{
	bool passed = !method;
	for (size_t n = 0; strategies[n]; n++) {
		const struct mz_strategy *other = strategies[n];
		if (passed && other->serves && !(bounds & ~other->bounds)) return other;
		passed |= other == method;
	}
	return NULL;
}

const char *mz_strategy_name_of(const struct mz_strategy *strategy)
{
	return strategy->name;
}

bool mz_strategy_foresees(const struct mz_strategy *strategy)
{
	return strategy->foresees;
}

bool mz_strategy_stateful(const struct mz_strategy *strategy)
{
	return strategy->stateful;
}

bool mz_strategy_minimal(const struct mz_strategy *strategy)
{
	return strategy->minimal;
}

bool mz_strategy_never_redundant(const struct mz_strategy *strategy)
{
	return strategy->never_redundant;
}

bool mz_strategy_shares(const struct mz_strategy *strategy, unsigned bounds)
{
	return strategy->stateful || (strategy->shares && !(bounds & ~strategy->bounds_shared));
}

bool mz_strategy_shares_graphs(const struct mz_strategy *strategy)
{
	return strategy->shares_graphs;
}

const struct mz_strategy *mz_strategy_shared_method(const struct mz_strategy *asked, unsigned bounds)
{
	const struct mz_strategy *method = mz_strategy_method(asked, bounds);
	while (method && !mz_strategy_shares(method, bounds))
		method = method->serves ? mz_strategy_substitute(method, bounds) : NULL;
	return method;
}

bool mz_strategy_explores_inputs(const struct mz_strategy *strategy)
{
	return !strategy->no_inputs;
}

bool mz_strategy_samples(const struct mz_strategy *strategy)
{
	return strategy->samples;
}

unsigned mz_strategy_bounds(const struct mz_strategy *strategy)
{
	return strategy->bounds;
}

unsigned mz_strategy_opts(const struct mz_strategy *strategy)
{
	return strategy->opts;
}

bool mz_strategy_reduces(const struct mz_strategy *strategy)
{
	return strategy->ordered;
}

bool mz_strategy_exact(const struct mz_strategy *strategy)
{
	return strategy->exact;
}
