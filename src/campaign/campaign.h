/* SPDX-License-Identifier: MIT
 *
 * One exploration, from start to verdict: what `mazurka run` and mz_check() have in common.
 */
#ifndef MZ_CAMPAIGN_CAMPAIGN_H
#define MZ_CAMPAIGN_CAMPAIGN_H

#include "campaign/confirm.h"
#include "campaign/reporter.h"
#include "explorer/crew.h"

/* How other machines take part: implemented by src/cluster, which is no part of the library for mz_check(). */
struct mz_campaign_cluster {
	void *self;
	/* Begins the run, or finds it begun. Returns 0, or an exit status after saying what is wrong. */
	int (*open)(void *self, const struct mz_subject *subject);
	const struct mz_crew_link *link; /* valid from here on, */
	char **environment;              /* and so is this: for the program */
	/* Adds what others have found, and how the run ended, when the crew is gone or could not be started. */
	void (*finish)(void *self, struct mz_session *session, struct mz_worker_result *result);
	/* why what all machines have explored or found is not known, one line; empty: it is. Then the run is not complete */
	char trouble[480];
};

/* Explores the subject and reports the result. The configuration of the subject is what was asked for: the campaign
 * completes it. Returns the exit status. */
int mz_campaign(const struct mz_reporting *wanted, const struct mz_subject *subject);

#endif
