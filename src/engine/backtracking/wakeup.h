/* SPDX-License-Identifier: MIT
 *
 * Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017, Section 5): the sequences still to be
 * explored from a state. A tree is an ordered list of branches; a branch is an event with the tree of what follows it.
 * Below a leaf everything is explored freely. Branches are explored from the first to the last; new ones are appended.
 *
 * Branches that inputs decide (mz_event.condition) have alternatives of which not every combination is possible. Each
 * way through a tree is one that some inputs take.
 *
 * Invariants: two branches of a node differ in thread or choice; a branch never gets children after it was made a leaf;
 * no branch is a weak initial of the sequence that a later branch of the same node begins.
 */
#ifndef MZ_ENGINE_BACKTRACKING_WAKEUP_H
#define MZ_ENGINE_BACKTRACKING_WAKEUP_H

#include "base/pool.h"
#include "engine/backtracking/interned.h"
#include "engine/backtracking/sleep.h"
#include "engine/execution/execution.h"
#include "engine/reversal/sequence.h"

struct mz_wakeup {
	const struct mz_event *event;
	struct mz_wakeup *next;  /* next branch of the same node */
	struct mz_wakeup *first; /* first branch of the tree below; NULL: this is a leaf */
	/* The rest is for trees that several workers share, see trunk.h. It is all zero in others. */
	uint8_t state; /* enum mz_trunk_state */
	/* what is below was explored freely at first: it is complete in itself, and for sequences that come from above
	 * this is a leaf */
	bool enclosed;
	/* see guess.h: the way to this branch had a guess in it, and may not wake all that sleeps there; or it is covered by a step
	 * that was guessed, and as if it was not there */
	bool overslept, dropped;
	/* within bounds, see trunk_sets.h: something was refused below this branch; its step may sleep all the same */
	bool refused, cheap;
	uint32_t worker; /* that explores this leaf, if it is taken */
	uint32_t begun;  /* if it is done: how many branches after it had been begun by then, see trunk_sets.h */
};

/* Returns whether a sequence that gets to this branch from above is covered. */
static inline bool mz_wakeup_is_leaf(const struct mz_wakeup *branch)
{
	return !__atomic_load_n(&branch->first, __ATOMIC_ACQUIRE) || branch->enclosed;
}

struct mz_wakeup_job;
struct mz_wakeup_decision;

/* Whom insertion asks which decisions of branches are possible together: those of the execution before the tree, and more.
 * `view` may be NULL if there are no branches that inputs decide. */
struct mz_wakeup_origin {
	const struct mz_execution *x;
	uint32_t depth; /* the tree is that of the state before event `depth` */
	const struct mz_view *view;
	bool initials; /* sleepers cover only sequences that they are in: see optimal.c */
	/* others may be appending to the tree: nothing is added, it is only found out whether the sequence is covered */
	bool looks;
	bool overslept; /* a leaf that is added may not wake all that sleeps there */
};

/* Where trees are stored, and what insertion works with. All zero is ready for use. */
struct mz_wakeups {
	struct mz_pool pool;
	struct mz_interned events; /* the events of the branches */
	/* If not NULL, called after each change to what is stored: others keep a copy of it, see trunk.h. */
	void (*touched)(void *toucher, const void *at, size_t size);
	void *toucher;
	struct mz_wakeup_job *jobs;
	size_t njobs, jobs_capacity;
	const struct mz_sequence *sequence; /* the sequence that is being inserted */
	bool *gone;                         /* a stack: for each job, which elements of the sequence are gone */
	size_t ngone, gone_capacity;
	const struct mz_event **sleepers; /* a stack: the sleeping events of each job */
	size_t nsleepers, sleepers_capacity;
	const struct mz_wakeup_origin *origin;
	struct mz_wakeup_decision *decisions; /* of branches that inputs decide, for all jobs */
	size_t ndecisions, decisions_capacity;
	struct mz_decision *question; /* scratch */
	size_t nquestion, question_capacity;
};

void mz_wakeups_release(struct mz_wakeups *wakeups);

static inline void mz_wakeups_touch(const struct mz_wakeups *wakeups, const void *at, size_t size)
{
	if (__builtin_expect(wakeups->touched != NULL, 0)) wakeups->touched(wakeups->toucher, at, size);
}

/* Says that a branch has changed, and its event perhaps. */
static inline void mz_wakeups_touch_branch(const struct mz_wakeups *wakeups, const struct mz_wakeup *branch)
{
	const struct mz_event *event = branch->event;
	mz_wakeups_touch(wakeups, branch, sizeof *branch);
	mz_wakeups_touch(wakeups, event, sizeof *event + event->naccesses * sizeof *event->accesses);
}

/* What became of a sequence that was to be inserted. */
struct mz_wakeup_result {
	bool covered; /* nothing had to be added: the sequence is covered */
	/* the answer depends on how the sequence goes on: it holds as long as nothing in it conflicts ... */
	bool guessed;
	struct mz_footprint guesses; /* ... with events that touch this footprint */
};

/* Makes sure that everything that starts with the sequence will be explored from a state with that sleep set and tree,
 * unless it has been: adds a branch somewhere, if need be. Some inputs must be able to execute the sequence there.
 * Returns false when there is no memory. */
bool mz_wakeups_insert(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_sleep *sleep,
                       const struct mz_sleep_set *asleep, const struct mz_sequence *sequence,
                       const struct mz_wakeup_origin *origin, struct mz_wakeup_result *result);

/* Appends a leaf. Returns it, or NULL when there is no memory. */
struct mz_wakeup *mz_wakeups_append(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *event);
/* Does the same; the leaf is in that state already when others can see it. */
struct mz_wakeup *mz_wakeups_append_as(struct mz_wakeups *wakeups, struct mz_wakeup **tree,
                                       const struct mz_event *event, uint8_t state);

/* Appends a copy of a tree that is stored elsewhere. Returns false when there is no memory. */
bool mz_wakeups_append_copy(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_wakeup *other);

/* Give back one branch without what is below it, and a whole tree. */
void mz_wakeups_free(struct mz_wakeups *wakeups, struct mz_wakeup *branch);
void mz_wakeups_free_tree(struct mz_wakeups *wakeups, struct mz_wakeup *tree);

/* Ends the process if an invariant does not hold. */
void mz_wakeup_check(const struct mz_wakeup *tree);

#endif
