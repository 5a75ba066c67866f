/* SPDX-License-Identifier: MIT
 *
 * The trunk: the part of an exploration that several workers share. It is a wakeup tree from which nothing is taken
 * out: its leaves are what is still to be explored, is being explored, or was. Each leaf is one worker's business; from
 * there on that worker explores freely, and alone.
 *
 * A worker may explore a leaf while those before it are still being explored. They sleep for it as if they were done:
 *   - what sleeps at a node is what slept at the node above, and all branches before the one that leads on, finished or
 *     not, less what steps wake;
 *   - a sequence that a reversed race gives is dropped if something that sleeps at its node is a weak initial of it:
 *     what is before is complete without help from what comes after it. If a branch *after* the worker's own is a weak
 *     initial, what is left of the sequence is handed on to the node below that branch, even if that was explored
 *     already. It is dropped only at a leaf, because what is below a leaf is complete in itself.
 * This is what mz_wakeups_insert() does, in any tree. To drop a sequence because a branch that covers it is being
 * explored anyway would miss graphs: the worker at that branch, for whom the sender's branch sleeps, leaves it to the
 * sender.
 *
 * A worker whose leaf is large gives up a part when others have nothing to do: the upper part of what it explores is
 * grafted onto the trunk in place of the leaf (mz_trunk_graft()), down to the first node with something left to explore.
 * What it has explored there is complete, for it explored it in order and alone: it becomes leaves that are done. No
 * sequence from above has ever to go there, because the graft as a whole is complete in itself as well (`enclosed`). And
 * none from inside has ever to go below the new leaf of that worker, because everything before it is done. So what
 * the worker explores next may be demanded there: this is its own affair. Below its leaf the trunk has a copy of that, its
 * *plan*, down to a node that was free when it was made: it is looked at only if the worker is lost.
 *
 * A worker takes several leaves at once, if there are many and nobody else wants them (`several`), and explores one after
 * the other. What it has explored, and what it has for others (trunk_posts.h), it keeps to itself until it needs the lock
 * anyway, or somebody has nothing to do: so most executions have nothing to do with the trunk. To others it is a worker that is slow:
 * its leaves are taken until it tells that they are done, after all that comes from them is in the trunk.
 *
 * What is done is kept as long as something before it is not, because sequences from there may have to go below it.
 * Then it is cut down to a leaf. A graft that is done is cut down at once, because no sequence has to go below it (and so is all of
 * a trunk of backtrack sets, trunk_sets.h).
 *
 * Invariants: branches are only appended, and never leave their places; a leaf is taken by one worker; what a worker
 * explores is never cut down.
 */
#ifndef MZ_ENGINE_BACKTRACKING_TRUNK_H
#define MZ_ENGINE_BACKTRACKING_TRUNK_H

#include "base/hash.h"
#include "base/keyset.h"
#include "engine/backtracking/trunk_posts.h"
#include "engine/backtracking/wakeup.h"

enum mz_trunk_state {
	MZ_TRUNK_OPEN,  /* a leaf that nobody explores, or a branch below which there may be one */
	MZ_TRUNK_TAKEN, /* a leaf that a worker explores: what is below it is the plan */
	MZ_TRUNK_DONE,  /* there is nothing left to explore, here or below */
	/* no branch: a thread that is explored only if a bound refuses something below the node, see trunk_sets.h */
	MZ_TRUNK_RESERVED,
};

/* What a worker has explored. */
struct mz_trunk_counts {
	uint64_t executions, redundant, traces, steps, cut, assumed;
};

/* The most steps and the most threads that an execution had. */
struct mz_trunk_extent {
	uint32_t steps, threads;
};

/* What the workers share. All zero is ready: the root is a leaf, and open. It changes under the lock; `wanted`, and whether the
 * root is done, is also read without it. */
struct mz_trunk {
	struct mz_wakeup root;         /* no branch: what is below is the tree of the first node */
	uint32_t taken;                /* how many leaves are taken */
	_Atomic uint32_t wanted;       /* not 0: a worker found nothing to take, and nobody has added anything since */
	struct mz_trunk_extent extent; /* of what is explored, where that matters (trunk_samples.h) */
	uint32_t crowd; /* how many leaves were taken at once at most, where that matters (trunk_samples.h) */
	uint32_t spins; /* not 0: a thread was seen to wait for a write, where that matters (bpor.c) */
};

/* Returns whether it is not known yet what the branch does: its event says only which thread goes (trunk_sets.h). */
static inline bool mz_trunk_is_unknown(const struct mz_wakeup *branch)
{
	return branch->event->alternatives == 0;
}

/* A place in the trunk: the branches that lead there, by depth. All zero is the root. */
struct mz_trunk_path {
	struct mz_wakeup **at;
	size_t length, capacity;
};

/* Appends a branch to a path. Returns false when there is no memory. */
bool mz_trunk_path_push(struct mz_trunk_path *path, struct mz_wakeup *branch);

/* Several such places. */
struct mz_trunk_paths {
	struct mz_wakeup **at; /* the branches of all */
	size_t *ends;          /* by path: where its branches end */
	size_t count, capacity, ends_capacity;
};

/* What a worker keeps to itself: leaves that it has taken and not begun, and leaves that it has explored. */
struct mz_trunk_claims {
	struct mz_trunk_paths taken;
	size_t next;   /* which of these is to be explored next */
	uint32_t size; /* how many leaves the worker took last time */
	struct mz_trunk_paths explored;
	struct mz_trunk_counts *counts; /* by explored leaf: what the worker had explored by then, all in all */
	size_t counts_capacity;
};

/* How a worker changes from one place to another, see trunk_roam.h. All zero: it does not. */
struct mz_trunk_worker;
struct mz_trunk_roam {
	/* If it is time to change places, makes `path` one to another open leaf. Returns false if it is not, or the next leaf in
	 * order is as good as any. Called with the lock held. */
	bool (*find)(struct mz_trunk_worker *worker, struct mz_trunk_path *path);
	uint64_t random;
	uint32_t turn;
	uint64_t executions, left;                /* how many it has made, and is to make before it moves */
	uint64_t (*place_of)(uint32_t condition); /* see struct mz_view */
	struct mz_keyset covered;                 /* where branches on inputs have gone */
	struct mz_trunk_path best;                /* scratch */
};

/* A worker's access to the trunk, and its place there. */
struct mz_trunk_worker {
	struct mz_trunk *trunk;
	uint32_t number;
	struct mz_wakeups wakeups; /* where this worker's additions are stored: all workers can read that memory */
	struct mz_trunk_path path, scratch;
	bool works;          /* the end of the path is a leaf that this worker has taken, and explores */
	uint32_t executions; /* that do not count yet */
	bool several;        /* the strategy can explore several leaves before others know that they are done */
	bool collects;       /* sequences may be inserted later than they are found: inputs decide nothing */
	bool failed;         /* there was no memory for what this worker has for others */
	struct mz_trunk_claims claims;
	struct mz_trunk_posts posts;
	struct mz_trunk_roam roam;
	bool forgets; /* the strategy never sends anything below what is done: that is cut down at once */
	/* set by lock(): the workers begin anew, and this one has nothing to do with the trunk until it does, too */
	bool outdated;
	bool spins; /* this worker has seen what `spins` of the trunk says, and all have to begin anew */
	/* For workers that do not take turns; NULL: they do. */
	void *self;
	void (*lock)(void *self);
	void (*unlock)(void *self);
	/* Say that the trunk is read without the lock, as far as it is only appended to; NULL: that can always be done. The
	 * first returns false if it cannot be done now. */
	bool (*begin_reading)(void *self);
	void (*end_reading)(void *self);
	/* Waits until there may be something to take. Returns false if there never will be. */
	bool (*wait)(void *self);
	/* Returns what this worker has explored so far; NULL: it does not matter. */
	struct mz_trunk_counts (*count)(void *self);
	/* Called, with the lock held, before and after the moment from which on `counts` of what this worker has explored
	 * is explored for good: that is when `leaf` is done, or has something else below it. */
	void (*settle)(void *self, const struct mz_wakeup *leaf, const struct mz_trunk_counts *counts);
	void (*settled)(void *self);
	/* If graphs are counted, and workers may execute the same one: adds the hash of one to a set that all of them share,
	 * and returns false when there is no memory. NULL: each worker counts its own. */
	bool (*note_graph)(void *self, struct mz_key graph);
	/* For strategies that share which graphs are closed instead of a tree, see strategies/cbpor.c. is_closed() returns
	 * whether others have told that a graph is; close() notes that one is; tell_closed() tells the others of all that were noted,
	 * and from then on everything counts that this worker has explored. The last two return false when there is no memory. */
	bool (*is_closed)(void *self, struct mz_key graph);
	bool (*close)(void *self, struct mz_key graph);
	bool (*tell_closed)(void *self);
	bool refused; /* a bound has left something out, as far as this worker knows: told with what is closed */
};

void mz_trunk_worker_release(struct mz_trunk_worker *worker);

/* Returns the branch that leads to the node at that depth of a path; for the first node that is the root. */
static inline struct mz_wakeup *mz_trunk_branch(struct mz_trunk *trunk, const struct mz_trunk_path *path, size_t depth)
{
	return depth ? path->at[depth - 1] : &trunk->root;
}

/* Returns the tree of the node at that depth of a worker's path, which is at most as long as the path. */
static inline struct mz_wakeup **mz_trunk_tree(struct mz_trunk_worker *worker, size_t depth)
{
	return &mz_trunk_branch(worker->trunk, &worker->path, depth)->first;
}

static inline struct mz_trunk_counts mz_trunk_count(const struct mz_trunk_worker *worker)
{
	return worker->count ? worker->count(worker->self) : (struct mz_trunk_counts){0};
}

static inline void mz_trunk_lock(struct mz_trunk_worker *worker)
{
	if (worker->lock) worker->lock(worker->self);
}

static inline void mz_trunk_unlock(struct mz_trunk_worker *worker)
{
	if (worker->unlock) worker->unlock(worker->self);
}

static inline bool mz_trunk_begin_reading(struct mz_trunk_worker *worker)
{
	return !worker->begin_reading || worker->begin_reading(worker->self);
}

static inline void mz_trunk_end_reading(struct mz_trunk_worker *worker)
{
	if (worker->end_reading) worker->end_reading(worker->self);
}

/* Counts an execution. */
static inline void mz_trunk_roam_count(struct mz_trunk_roam *roam)
{
	roam->executions++;
	roam->left -= roam->left > 0;
}

/* Returns whether the worker is to give up what is left of its leaf. */
static inline bool mz_trunk_is_to_move(const struct mz_trunk_worker *worker)
{
	return worker->roam.find && worker->roam.left == 0;
}

/* Makes a worker forget its place in the trunk, and all that it keeps to itself. */
void mz_trunk_forget(struct mz_trunk_worker *worker);

/* Says that the worker is done with its leaf, if it has one, and takes another one, as near to it as there is one:
 * `path` leads there. `*common` is how many branches are those of before. Returns false if there is none. */
bool mz_trunk_next(struct mz_trunk_worker *worker, size_t *common);

/* Says that the worker is done with its leaf, and takes no other. */
void mz_trunk_leave(struct mz_trunk_worker *worker);

/* Tells others what the worker has kept to itself, and gives back the leaves that it has not begun. Returns whether there
 * may be something to take now that was not there before. */
bool mz_trunk_share(struct mz_trunk_worker *worker);

/* The parts of mz_trunk_next(), to be called with the lock held: mz_trunk_finish() says that the worker is done with its
 * leaf; mz_trunk_take() takes an open leaf, and returns false if there is none; mz_trunk_judge_root() finds out whether
 * everything is done. */
void mz_trunk_finish(struct mz_trunk_worker *worker);
bool mz_trunk_take(struct mz_trunk_worker *worker, size_t *common);
void mz_trunk_judge_root(struct mz_trunk *trunk);

/* What a worker explores below its leaf, on its way into the trunk. */
struct mz_trunk_graft {
	struct mz_wakeup root; /* no branch: what is below comes below the leaf */
	struct mz_wakeup *leaf, *end;
};

/* Put what the worker explores below its leaf in the place of the leaf. After mz_trunk_begin_graft(), for one node after
 * another: the steps that were explored there, mz_trunk_add_done(); then the step that leads to the next node, with the
 * tree of what is still to be explored, mz_trunk_add_step(), which extends the path unless that is a part of the plan.
 * Then mz_trunk_graft(): only now others see it. The worker goes on exploring what is below the last step; or, if the last call was mz_trunk_add_open(),
 * for a node from which nothing is being explored, it has no leaf any more (`goes_on` is false). `counts` is what it has
 * explored outside of its new leaf. They return false when there is no memory. */
void mz_trunk_begin_graft(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft);
bool mz_trunk_add_done(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_event *event);
bool mz_trunk_add_open(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_wakeup *others);
bool mz_trunk_add_step(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_event *event,
                       const struct mz_wakeup *others, bool planned);
/* The same in single steps: mz_trunk_add_branch() appends an open branch to the node, and returns it, or NULL when there
 * is no memory; mz_trunk_add_reserved() holds a thread in reserve there; mz_trunk_go_below() goes on to the node below the branch that the worker explores. */
struct mz_wakeup *mz_trunk_add_branch(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft,
                                      const struct mz_event *event);
bool mz_trunk_add_reserved(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, const struct mz_event *event);
bool mz_trunk_go_below(struct mz_trunk_worker *worker, struct mz_trunk_graft *graft, struct mz_wakeup *branch);
void mz_trunk_graft(struct mz_trunk_worker *worker, const struct mz_trunk_graft *graft, bool goes_on,
                    const struct mz_trunk_counts *counts);

/* Returns whether the worker has explored so much that does not count yet, and would have to be explored again if this
 * worker was lost, that it should give up a part of what it explores. */
#define MZ_TRUNK_PATIENCE 100000
static inline bool mz_trunk_is_impatient(const struct mz_trunk_worker *worker)
{
	return worker->executions >= MZ_TRUNK_PATIENCE;
}

/* Returns whether the worker should give up a part of what it explores after an execution: others have nothing to do, or it
 * has waited for too long. */
static inline bool mz_trunk_is_to_graft(struct mz_trunk_worker *worker)
{
	worker->executions++;
	return mz_trunk_is_impatient(worker) || worker->trunk->wanted;
}

/* Says that everything is explored, for strategies that share no tree. */
void mz_trunk_conclude(struct mz_trunk_worker *worker);

/* Returns whether everything is explored; without the lock, that may be a little late. */
bool mz_trunk_is_done(const struct mz_trunk *trunk);

/* Makes the trunk as it was in the beginning, with the lock held, but for what was learned of the program (`spins`). Whoever is killed
 * meanwhile has left it such that this can be done again. */
void mz_trunk_clear(struct mz_trunk *trunk);

/* Opens the leaf that the worker with that number had taken, which is gone. Returns false when there is no memory. */
bool mz_trunk_lose(struct mz_trunk_worker *worker, uint32_t number);

#endif
