/* SPDX-License-Identifier: MIT
 *
 * Works out what the options of a run mean for each other, and whether the strategy can do what they ask for.
 */
#ifndef MZ_CAMPAIGN_CONFIGURE_H
#define MZ_CAMPAIGN_CONFIGURE_H

#include "configuration/configuration.h"

/* Returns 0 if the strategy can do what is asked of it, or an exit status after saying in one line what it cannot. To
 * be called with the configuration as it was given, before mz_configuration_complete(). */
int mz_configuration_check(const struct mz_configuration *configuration);

/* The same for a run whose open work is kept, by that option (--resume, --cluster). */
int mz_configuration_check_kept(const struct mz_configuration *asked, const char *option);

/* The same for a program whose inputs are explored: whether the strategy can. */
int mz_configuration_check_inputs(const struct mz_configuration *asked);

/* Returns which bounds are given, as bits of enum mz_bound_kind. */
unsigned mz_configuration_bounds(const struct mz_configuration *asked);

/* Returns whether the search that is asked for may miss executions within its bounds, even if it comes to its end. */
bool mz_configuration_may_miss(const struct mz_configuration *asked);

/* Returns whether states are searched, and not executions. */
bool mz_configuration_is_stateful(const struct mz_configuration *asked);

/* Returns whether executions are sampled: their number is what is asked for, and no limit. */
bool mz_configuration_samples(const struct mz_configuration *asked);

/* Fills in the options that were left open and the fields that are derived from options. A configuration that is
 * complete stays as it is. */
void mz_configuration_complete(struct mz_configuration *configuration);

#endif
