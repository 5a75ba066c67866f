/* SPDX-License-Identifier: MIT
 *
 * Keeps the open work of a run in a folder (--resume), so that the same command goes on from there. The folder has one
 * file, which is replaced as a whole: what the run is of, what it found, and what is still to be explored.
 */
#ifndef MZ_CAMPAIGN_RESUME_H
#define MZ_CAMPAIGN_RESUME_H

#include "base/hash.h"
#include "campaign/confirm.h"
#include "campaign/instrumented.h"
#include "explorer/crew.h"
#include <limits.h>

/* What a run is of. All of it has to be the same when the run goes on. */
struct mz_resume_subject {
	char mazurka[MZ_IDENTITY_SIZE]; /* what tells this build of mazurka from others, */
	char program[MZ_IDENTITY_SIZE]; /* and this build of the program */
	struct mz_key arguments;
	struct mz_configuration configuration; /* without what may differ */
};

struct mz_resume {
	const char *folder; /* NULL: nothing is kept */
	char path[PATH_MAX];
	int lock; /* descriptor of the folder, which only one run can use at a time */
	struct mz_resume_subject subject;
	struct mz_crew_keeper keeper;
	struct mz_session_memory kept; /* what was found so far; `session` is NULL if there is no earlier run */
	void *trunk;
	char **environment;     /* of the program: that of the first run */
	char *environment_text; /* the same, each string with its end */
	size_t environment_size;
	double seconds; /* how long earlier runs explored */
	double started, next;
	bool failed; /* the work could not be kept, and the user was told */
};

/* Opens the folder, makes it if there is none, and reads what an earlier run left there. `resume` is all zero. Returns 0,
 * or an exit status after saying what is wrong. */
int mz_resume_open(struct mz_resume *resume, const char *folder, const struct mz_subject *subject);
void mz_resume_close(struct mz_resume *resume);

#endif
