/* SPDX-License-Identifier: MIT
 *
 * Runs over several machines: `mazurka run --cluster` begins one, or goes on with it; `mazurka worker` takes part; `mazurka run
 * --attach` shows it. What the machines share is in the store (store.h); each is a member (member.h).
 */
#ifndef MZ_CLUSTER_CLUSTER_H
#define MZ_CLUSTER_CLUSTER_H

#include "campaign/campaign.h"
#include "campaign/identity.h"
#include "cluster/member.h"
#include <limits.h>
#include <signal.h>

struct mz_cluster {
	struct mz_store *store;
	struct mz_member member;
	struct mz_leaving leaving;
	sigset_t signals;                    /* that were blocked before */
	bool is_worker;                      /* of a run that another machine reports */
	struct mz_campaign_cluster campaign; /* for mz_campaign() */
	uint64_t lease;                      /* milliseconds, for a run that begins */
	/* of the program, as whoever began the run had it */
	char path[PATH_MAX];
	struct mz_strings arguments, environment;
	char identity[MZ_IDENTITY_SIZE];
};

/* Connects with the store of a run; it need not have begun. Waits for others, here and later, for `timeout` seconds at most; 0: there
 * is no limit. Returns 0, or an exit status after saying what is wrong. Until mz_cluster_close(), signals by which users ask us to stop
 * are blocked: they end what waits (leaving.h). */
int mz_cluster_open(struct mz_cluster *cluster, const char *url, double timeout);
void mz_cluster_close(struct mz_cluster *cluster);

/* Takes part in a run that has begun, by so many processes, until it ends or this machine is told to stop. `program` is
 * where the program is here; NULL: where it is on the machine that began the run. Returns an exit status. */
int mz_cluster_work(const char *url, const char *program, uint32_t jobs);

/* Shows a run until it ends. Returns an exit status. */
int mz_cluster_attach(const char *url);

#endif
