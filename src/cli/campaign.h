/* SPDX-License-Identifier: MIT
 *
 * One exploration, from start to verdict: what `mazurka run` and mz_check() have in common.
 */
#ifndef MZ_CLI_CAMPAIGN_H
#define MZ_CLI_CAMPAIGN_H

#include "cli/confirm.h"
#include "cli/options.h"

/* Explores and reports. Returns the exit status. */
int mz_campaign(const struct mz_run_options *options, const struct mz_subject *subject);

#endif
