/* SPDX-License-Identifier: MIT
 *
 * Programs at a granularity of one's own choice: what a thread does in one transition is a function. A state is a row
 * of small numbers, *cells*: those that are shared, and as many of each thread's own. Only the shared ones are
 * accesses. The key of a state is the sum (exclusive or) of its cells' hashes, and so costs nothing.
 */
#ifndef MZ_TESTS_MODEL_H
#define MZ_TESTS_MODEL_H

#include "trace/stateful.h"

#define MODEL_TOUCHES 600 /* of one transition at most */

#define MODEL_PARTS 511 /* of what is divided among threads */

struct model_run;

/* A part of a task, and the parts that it is divided into, if it is. */
struct model_part {
	int first, last;
	uint32_t left, right; /* 0: none */
};

struct model {
	const char *name;
	unsigned nsizes;     /* how many numbers it takes */
	uint32_t largest[2]; /* each of them at most */
	/* Sets nthreads, nshared, nown; may use `sizes`. */
	void (*size)(struct model_run *run);
	/* All cells are 0 before. May be missing. */
	void (*init)(struct model_run *run);
	/* Returns whether a thread can make a step, and if not, why: ENOUGH (it can), BLOCKED (`*waits` is the shared
	 * cell it reads) or OVER. */
	enum mz_halt (*halt)(struct model_run *run, uint32_t thread, uint32_t *waits);
	void (*step)(struct model_run *run, uint32_t thread);
};

extern const struct model *const models[]; /* NULL at the end */

struct model_run {
	const struct model *model;
	uint32_t sizes[2];
	uint32_t nthreads, nshared, nown;
	struct model_part parts[MODEL_PARTS];
	int16_t *cells;
	size_t ncells;
	struct mz_key key;
	struct mz_access touched[MODEL_TOUCHES];
	size_t ntouched;
	bool failed; /* an assertion */
	bool found;  /* anything at all */
	struct mz_view view;
	int16_t **kept;
	uint32_t *free;
	size_t nkept, nfree, kept_capacity;
};

/* For models. Shared cells, with the access; cells of one's own. */
int model_get(struct model_run *run, uint32_t cell);
void model_set(struct model_run *run, uint32_t cell, int value);
int model_own(const struct model_run *run, uint32_t thread, uint32_t which);
void model_set_own(struct model_run *run, uint32_t thread, uint32_t which, int value);
/* A look that is no access: for halt(). */
int model_peek(const struct model_run *run, uint32_t cell);
void model_assert(struct model_run *run, bool holds);

void model_run_init(struct model_run *run, const struct model *model, const uint32_t sizes[2]);
void model_run_release(struct model_run *run);
struct mz_stateful model_run_program(struct model_run *run);

#endif
