/* SPDX-License-Identifier: MIT
 *
 * What the options of a run mean for each other, and whether the strategy can do what they ask for.
 */
#ifndef MZ_CAMPAIGN_CONFIGURE_H
#define MZ_CAMPAIGN_CONFIGURE_H

#include "configuration/configuration.h"

/* Returns 0 if the strategy can do what is asked of it, or an exit status after saying in one line what it cannot. Asks
 * for what was given, before mz_configuration_complete(). */
int mz_configuration_check(const struct mz_configuration *configuration);

/* Derives what depends on other options: sets what was left open, and the fields behind the options. A configuration
 * that is complete stays as it is. */
void mz_configuration_complete(struct mz_configuration *configuration);

#endif
