/* SPDX-License-Identifier: MIT
 *
 * Keeps the open work of a run in a folder (--resume), so that the same command goes on from there. The folder has one
 * file, which is replaced as a whole: what the run is of, what it found, and what is still to be explored.
 */
#ifndef MZ_CAMPAIGN_RESUME_H
#define MZ_CAMPAIGN_RESUME_H

#include "campaign/confirm.h"
#include "campaign/identity.h"
#include "explorer/crew.h"
#include <limits.h>

struct mz_resume {
	const char *folder; /* NULL: nothing is kept */
	char path[PATH_MAX];
	int lock; /* descriptor of the folder, which only one run can use at a time */
	struct mz_run_identity identity;
	struct mz_crew_keeper keeper;
	struct mz_session_memory kept; /* what was found so far; `session` is NULL if there is no earlier run */
	void *trunk;
	struct mz_strings environment; /* of the program: that of the first run */
	double seconds;                /* how long earlier runs explored */
	double started, next;
	bool failed; /* the work could not be kept, and the user was told */
};

/* Opens the folder, makes it if there is none, and reads what an earlier run left there. `resume` is all zero. Returns 0,
 * or an exit status after saying what is wrong. */
int mz_resume_open(struct mz_resume *resume, const char *folder, const struct mz_subject *subject);
void mz_resume_close(struct mz_resume *resume);

#endif
