/* SPDX-License-Identifier: MIT */
#include "engine/options.h"
#include <string.h>

unsigned mz_bounds_given(const struct mz_search_options *options)
{
	return (options->bounded ? MZ_BOUND_PREEMPTIONS : 0u) | (options->fair ? MZ_BOUND_FAIR : 0u) |
	       (options->delayed ? MZ_BOUND_DELAYS : 0u) | (options->max_depth ? MZ_BOUND_DEPTH : 0u) |
	       (options->switched ? MZ_BOUND_SWITCHES : 0u);
}

const char *mz_opt_name(size_t n)
{
	static const char *const names[] = {
#define X(id, text) text,
	    MZ_OPTS(X)
#undef X
	};
	return n < MZ_OPT_COUNT ? names[n] : NULL;
}

static const char *const orders[MZ_ORDER_COUNT] = {
    [MZ_ORDER_DFS] = "dfs",
    [MZ_ORDER_BIT_REVERSAL] = "bit-reversal",
    [MZ_ORDER_ROUND_ROBIN] = "round-robin",
    [MZ_ORDER_STRIDE] = "stride",
    [MZ_ORDER_CONFLICT_FIRST] = "conflict-first",
    [MZ_ORDER_RANDOM] = "random",
    [MZ_ORDER_INTERLEAVED] = "interleaved",
};

enum mz_order mz_order_find(const char *name)
{
	unsigned order = 0;
	while (order < MZ_ORDER_COUNT && strcmp(orders[order], name) != 0) order++;
	return (enum mz_order)order;
}

const char *mz_order_name(unsigned order)
{
	return order < MZ_ORDER_COUNT ? orders[order] : NULL;
}
