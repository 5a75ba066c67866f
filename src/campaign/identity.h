/* SPDX-License-Identifier: MIT
 *
 * What a run is of, so that it can be gone on with later (resume.h) or elsewhere (src/cluster): everything that decides
 * what there is to explore.
 */
#ifndef MZ_CAMPAIGN_IDENTITY_H
#define MZ_CAMPAIGN_IDENTITY_H

#include "base/hash.h"
#include "campaign/confirm.h"
#include "campaign/instrumented.h"

struct mz_run_identity {
	char mazurka[MZ_IDENTITY_SIZE]; /* what tells this build of mazurka from others, */
	char program[MZ_IDENTITY_SIZE]; /* and this build of the program */
	struct mz_key arguments;
	struct mz_configuration configuration; /* without what only decides how long a run goes on, and how fast */
};

/* Fills in the identity of a run; the configuration of the subject is complete. Returns 0, or an exit status after saying
 * what is wrong. */
int mz_run_identity_fill(struct mz_run_identity *identity, const struct mz_subject *subject);

/* Returns whether another run is not the same, and says in `what` what differs: "another build of the program". */
#define MZ_DIFFERENCE_SIZE 64
bool mz_run_identity_differs(const struct mz_run_identity *identity, const struct mz_run_identity *other,
                             char what[MZ_DIFFERENCE_SIZE]);

/* A NULL-terminated list of strings, like an environment, and the same one behind the other with their ends. */
struct mz_strings {
	char **list;
	char *text;
	size_t size;
};

/* Make such a list from text, or from another list. They return false if the text does not end, or there is no memory. */
bool mz_strings_take(struct mz_strings *strings, const char *text, size_t size);
bool mz_strings_copy(struct mz_strings *strings, char *const *list);
void mz_strings_release(struct mz_strings *strings);

#endif
