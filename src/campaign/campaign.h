/* SPDX-License-Identifier: MIT
 *
 * One exploration, from start to verdict: what `mazurka run` and mz_check() have in common.
 */
#ifndef MZ_CAMPAIGN_CAMPAIGN_H
#define MZ_CAMPAIGN_CAMPAIGN_H

#include "campaign/confirm.h"
#include "campaign/reporter.h"

/* Explores the subject and reports the result. The configuration of the subject is what was asked for: the campaign
 * completes it. Returns the exit status. */
int mz_campaign(const struct mz_reporting *wanted, const struct mz_subject *subject);

#endif
