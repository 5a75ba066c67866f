/* SPDX-License-Identifier: MIT
 *
 * Insertion follows the first branch that is a weak initial of the sequence (and takes it out of the sequence if it is
 * in) until that is a leaf, nothing is left of the sequence, or no branch is; then the rest becomes a new branch.
 *
 * A branch of a thread with several alternatives that is not in the sequence covers only the executions in which the
 * thread takes that alternative. So the sequence is inserted below it, and also beside it unless all alternatives of
 * that thread are there, as branches or asleep. Insertion is therefore a list of jobs: a sequence, a place in the tree,
 * and the sleepers of that kind (there are hardly ever any).
 *
 * So it is where nothing is left of the sequence, and branches go on: what they go on with may be one alternative of several. The
 * insertion follows them down to a leaf, as if each was a weak initial, and where it finds a thread with alternatives, it sees to
 * it that the others are there or asleep, too.
 *
 * If inputs decide which alternative the thread takes, the two may not both be possible together with the sequence. The
 * thread takes one of them in every continuation of the sequence, so instead of the sequence, two longer ones have to be
 * covered: with the alternative of the branch, which is inserted below the branch, and with the other one, which is
 * inserted beside it; each only if some inputs execute all of it. (Without the other alternative in it, the sequence
 * could be one after which only the alternative that sleeps is possible, or after which branches of other threads leave
 * no other: the execution would end there, in vain.)
 */
#include "engine/backtracking/wakeup.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bug.h"

/* The insertion of a sequence at a place in a tree. Only the last job's parts of the stacks grow. */
struct mz_wakeup_job {
	struct mz_wakeup **tree;
	struct mz_rest rest; /* what is left of the sequence; its marks are gone[first_gone ...] */
	size_t first_gone;
	size_t first_sleeper;
	size_t nasleep;
	uint32_t decision; /* the latest of its decisions, or NO_DECISION */
	uint32_t nadded;   /* how many events it has added to the sequence that are still left */
	/* a guess in the sequence, which wakes all that sleeps, was found to be a step that is known and may wake less */
	bool resolved;
	bool over; /* nothing is left to do */
	const struct mz_event
	    *choice; /* nothing is left of the sequence, and this alternative of several is a branch here */
};

#define NO_DECISION UINT32_MAX

/* A branch that inputs decide, with the alternative that it takes, for a job: on its way through the tree or, if `added`, a part of what is to
 * be inserted. A decision is added only where it is the next event of its thread, so the latest of a thread says whether
 * an added one is left. Outcomes before it may be those of several jobs. */
struct mz_wakeup_decision {
	const struct mz_event *event;
	uint32_t before; /* the one before it, or NO_DECISION */
	bool added;
};

void mz_wakeups_release(struct mz_wakeups *wakeups)
{
	mz_pool_release(&wakeups->pool);
	mz_interned_release(&wakeups->events);
	mz_free(wakeups->jobs);
	mz_free(wakeups->gone);
	mz_free(wakeups->sleepers);
	mz_free(wakeups->decisions);
	mz_free(wakeups->question);
	*wakeups = (struct mz_wakeups){0};
}

static struct mz_wakeup *branch_new(struct mz_wakeups *wakeups, const struct mz_event *event)
{
	const struct mz_event *kept = mz_interned_event(&wakeups->events, event);
	struct mz_wakeup *branch = kept ? mz_pool_take(&wakeups->pool, sizeof *branch) : NULL;
	if (!branch) return NULL;
	*branch = (struct mz_wakeup){.event = kept};
	mz_wakeups_touch_branch(wakeups, branch);
	return branch;
}

void mz_wakeups_free(struct mz_wakeups *wakeups, struct mz_wakeup *branch)
{
	mz_pool_give(&wakeups->pool, branch, sizeof *branch);
}

void mz_wakeups_free_tree(struct mz_wakeups *wakeups, struct mz_wakeup *tree)
{
	while (tree) { /* what is below the first branch is put behind it, so that there is no recursion */
		struct mz_wakeup *branch = tree, *last = tree->first;
		if (last) {
			while (last->next) last = last->next;
			last->next = branch->next;
			tree = branch->first;
		} else {
			tree = branch->next;
		}
		mz_wakeups_free(wakeups, branch);
	}
}

struct mz_wakeup *mz_wakeups_append(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *event)
{
	return mz_wakeups_append_as(wakeups, tree, event, 0);
}

struct mz_wakeup *mz_wakeups_append_as(struct mz_wakeups *wakeups, struct mz_wakeup **tree,
                                       const struct mz_event *event, uint8_t state)
{
	struct mz_wakeup *branch = branch_new(wakeups, event);
	if (!branch) return NULL;
	branch->state = state;
	while (*tree) tree = &(*tree)->next;
	__atomic_store_n(tree, branch, __ATOMIC_RELEASE);
	mz_wakeups_touch(wakeups, tree, sizeof *tree);
	return branch;
}

bool mz_wakeups_append_copy(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_wakeup *other)
{
	struct copy {
		const struct mz_wakeup *from;
		struct mz_wakeup **to;
	} *left = NULL;
	size_t nleft = 0, capacity = 0;
	while (*tree) tree = &(*tree)->next;
	struct copy now = {other, tree};
	bool right = true;
	for (;;) {
		for (; now.from && right; now.from = now.from->next) {
			right = mz_array_reserve(&left, &capacity, nleft + 1);
			struct mz_wakeup *branch = right ? branch_new(wakeups, now.from->event) : NULL;
			right = branch != NULL;
			if (!right) break;
			branch->overslept = now.from->overslept;
			mz_wakeups_touch(wakeups, branch, sizeof *branch);
			*now.to = branch;
			mz_wakeups_touch(wakeups, now.to, sizeof *now.to);
			now.to = &branch->next;
			if (now.from->first) left[nleft++] = (struct copy){now.from->first, &branch->first};
		}
		if (!right || nleft == 0) break;
		now = left[--nleft];
	}
	mz_free(left);
	return right;
}

/* ---- branches that inputs decide ---- */

/* Returns the latest decision of the thread for the job, or NO_DECISION. */
static uint32_t decision_of(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job, uint32_t thread)
{
	uint32_t n = job->decision;
	while (n != NO_DECISION && wakeups->decisions[n].event->thread != thread) n = wakeups->decisions[n].before;
	return n;
}

/* Returns whether a decision was added to the sequence and is still left. */
static bool is_left(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job, uint32_t n)
{
	const struct mz_wakeup_decision *decision = &wakeups->decisions[n];
	return decision->added && decision_of(wakeups, job, decision->event->thread) == n;
}

static bool decision_push(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *event,
                          bool added)
{
	if (!mz_array_reserve(&wakeups->decisions, &wakeups->decisions_capacity, wakeups->ndecisions + 1)) return false;
	wakeups->decisions[wakeups->ndecisions] = (struct mz_wakeup_decision){event, job->decision, added};
	job->decision = (uint32_t)wakeups->ndecisions++;
	job->nadded += added;
	return true;
}

/* Adds the other alternative of a branch to what the job inserts. Returns false when there is no memory. */
static bool add_other(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *event)
{
	struct mz_event other = *event;
	other.choice = 1 - event->choice;
	const struct mz_event *kept = mz_interned_event(&wakeups->events, &other);
	return kept && decision_push(wakeups, job, kept, true);
}

static bool ask_about(struct mz_wakeups *wakeups, const struct mz_event *event)
{
	if (!event->condition) return true;
	if (!mz_array_reserve(&wakeups->question, &wakeups->question_capacity, wakeups->nquestion + 1)) return false;
	wakeups->question[wakeups->nquestion++] = (struct mz_decision){event->condition, event->choice};
	return true;
}

/* Collects the decisions that a job stands for: before the tree, in what is left of the sequence, and on its way. Returns
 * false when there is no memory. */
static bool collect(struct mz_wakeups *wakeups, const struct mz_wakeup_job *job)
{
	const struct mz_wakeup_origin *origin = wakeups->origin;
	const bool *gone = wakeups->gone + job->first_gone;
	wakeups->nquestion = 0;
	for (uint32_t n = 0; n < origin->depth; n++)
		if (!ask_about(wakeups, mz_execution_event(origin->x, n))) return false;
	for (size_t n = 0; n < wakeups->sequence->count; n++)
		if (!gone[n] && !ask_about(wakeups, wakeups->sequence->at[n].event)) return false;
	for (uint32_t n = job->decision; n != NO_DECISION; n = wakeups->decisions[n].before)
		if (!ask_about(wakeups, wakeups->decisions[n].event)) return false;
	return true;
}

/* Finds out which alternatives of a branch some inputs take that execute all that the job stands for. Returns false when
 * there is no memory. */
static bool find_possible(struct mz_wakeups *wakeups, const struct mz_wakeup_job *job, const struct mz_event *event,
                          bool possible[2])
{
	if (!collect(wakeups, job) || !ask_about(wakeups, event)) return false;
	for (uint32_t choice = 0; choice < 2; choice++) {
		wakeups->question[wakeups->nquestion - 1].choice = choice;
		possible[choice] = wakeups->origin->view->are_possible(wakeups->question, wakeups->nquestion);
	}
	return true;
}

/* ---- jobs ---- */

/* Appends an event to a tree of one branch without others beside it; `*tree` becomes the place below. */
static bool append_below(struct mz_wakeups *wakeups, struct mz_wakeup ***tree, const struct mz_event *event)
{
	**tree = branch_new(wakeups, event);
	if (!**tree) return false;
	mz_wakeups_touch(wakeups, *tree, sizeof **tree);
	*tree = &(**tree)->first;
	return true;
}

/* Says that the leaf below a branch, which has no others beside it, may not wake all that sleeps there. */
static void mark_leaf(const struct mz_wakeups *wakeups, struct mz_wakeup *branch)
{
	while (branch->first) branch = branch->first;
	branch->overslept = true;
	mz_wakeups_touch(wakeups, branch, sizeof *branch);
}

/* Appends what is left of the sequence as a branch, after the decisions that were added to it. */
static bool append_rest(struct mz_wakeups *wakeups, const struct mz_wakeup_job *job)
{
	const bool *gone = wakeups->gone + job->first_gone;
	struct mz_wakeup *branch = NULL, **end = &branch, **tree = job->tree;
	for (uint32_t n = job->decision; n != NO_DECISION && job->nadded; n = wakeups->decisions[n].before) {
		if (!is_left(wakeups, job, n)) continue;
		if (!append_below(wakeups, &end, wakeups->decisions[n].event)) return false;
	}
	for (size_t n = 0; n < wakeups->sequence->count; n++) {
		if (gone[n]) continue;
		if (!append_below(wakeups, &end, wakeups->sequence->at[n].event)) return false;
	}
	if (branch && (job->resolved || wakeups->origin->overslept)) mark_leaf(wakeups, branch);
	while (*tree) tree = &(*tree)->next;
	/* all at once: whoever else uses the tree finds all of it, even if this process is killed */
	__atomic_store_n(tree, branch, __ATOMIC_RELEASE);
	mz_wakeups_touch(wakeups, tree, sizeof *tree);
	return true;
}

/* Starts a job at the top of the stacks, without sleepers: on what is left to job `like`, or on everything. */
static bool job_push(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_wakeup_job *like)
{
	size_t count = wakeups->sequence->count;
	if (!mz_array_reserve(&wakeups->jobs, &wakeups->jobs_capacity, wakeups->njobs + 1)) return false;
	if (!mz_array_reserve(&wakeups->gone, &wakeups->gone_capacity, wakeups->ngone + count)) return false;
	struct mz_rest rest = like ? like->rest : (struct mz_rest){.left = count};
	uint32_t decision = like ? like->decision : NO_DECISION, nadded = like ? like->nadded : 0;
	bool *marks = wakeups->gone + wakeups->ngone;
	for (size_t n = 0; n < count; n++) marks[n] = like && wakeups->gone[like->first_gone + n];
	bool resolved = like && like->resolved;
	wakeups->jobs[wakeups->njobs++] = (struct mz_wakeup_job){.tree = tree,
	                                                         .rest = rest,
	                                                         .first_gone = wakeups->ngone,
	                                                         .first_sleeper = wakeups->nsleepers,
	                                                         .decision = decision,
	                                                         .nadded = nadded,
	                                                         .resolved = resolved};
	wakeups->ngone += count;
	return true;
}

/* Returns what is left of the sequence for the job. Its marks are looked up anew, because their stack may have
 * moved. */
static struct mz_rest *job_rest(const struct mz_wakeups *wakeups, struct mz_wakeup_job *job)
{
	job->rest.gone = wakeups->gone + job->first_gone;
	return &job->rest;
}

static bool job_add_sleeper(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *sleeper)
{
	if (!mz_array_reserve(&wakeups->sleepers, &wakeups->sleepers_capacity, wakeups->nsleepers + 1)) return false;
	wakeups->sleepers[wakeups->nsleepers++] = sleeper;
	job->nasleep++;
	return true;
}

static const struct mz_event **job_sleepers(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job)
{
	return wakeups->sleepers + job->first_sleeper;
}

/* Returns whether all alternatives of the thread of `event` are among the job's sleepers. */
static bool all_asleep(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job, const struct mz_event *event)
{
	uint32_t asleep = 0;
	for (size_t n = 0; n < job->nasleep; n++) asleep += job_sleepers(wakeups, job)[n]->thread == event->thread;
	return asleep >= event->alternatives;
}

/* Returns whether that alternative is among the job's sleepers. */
static bool is_asleep(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job, const struct mz_event *event)
{
	for (size_t n = 0; n < job->nasleep; n++) {
		const struct mz_event *sleeper = job_sleepers(wakeups, job)[n];
		if (sleeper->thread == event->thread && sleeper->choice == event->choice) return true;
	}
	return false;
}

/* Removes the sleepers that `event` wakes from the job. */
static void job_wake(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *event)
{
	const struct mz_event **sleepers = job_sleepers(wakeups, job);
	size_t kept = 0;
	for (size_t n = 0; n < job->nasleep; n++) {
		if (sleepers[n]->thread == event->thread || mz_events_conflict(sleepers[n], event)) continue;
		sleepers[kept++] = sleepers[n];
	}
	wakeups->nsleepers -= job->nasleep - kept;
	job->nasleep = kept;
}

static void guess(struct mz_wakeup_result *result, const struct mz_event *event)
{
	result->guessed = true;
	mz_footprint_add(&result->guesses, event);
}

/* Says that something may be added below a branch. */
static void open_branch(struct mz_wakeups *wakeups, struct mz_wakeup *branch)
{
	if (wakeups->origin->looks) return;
	branch->state = 0;
	mz_wakeups_touch(wakeups, branch, sizeof *branch);
}

/* Adds a job for what is below the branch, where the job `here` is. A copy of that job is given, because the jobs may
 * move; it waits until the new one is done. Returns false when there is no memory. */
static bool add_below(struct mz_wakeups *wakeups, struct mz_wakeup_job here, struct mz_wakeup *branch,
                      const struct mz_event *event)
{
	open_branch(wakeups, branch);
	if (!job_push(wakeups, &branch->first, &here)) return false;
	struct mz_wakeup_job *below = &wakeups->jobs[wakeups->njobs - 1];
	for (size_t n = 0; n < here.nasleep; n++) {
		if (!job_add_sleeper(wakeups, below, job_sleepers(wakeups, &here)[n])) return false;
	}
	job_wake(wakeups, below, event);
	return !event->condition || decision_push(wakeups, below, event, false);
}

/* Handles a branch that is not in the sequence and whose thread has alternatives: adds a job for what is below the
 * branch, and makes the branch a sleeper for what is beside it. Sets `*done` if nothing beside it is needed. Returns
 * false when there is no memory. */
static bool split(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, struct mz_wakeup *branch,
                  const struct mz_event *event, bool *done)
{
	if (!job_add_sleeper(wakeups, job, event)) return false;
	*done = all_asleep(wakeups, job, event);
	return mz_wakeup_is_leaf(branch) || add_below(wakeups, *job, branch, event);
}

/* Likewise if inputs decide the alternative: what is inserted beside the branch has the other one. */
__attribute__((cold, noinline)) static bool split_decided(struct mz_wakeups *wakeups, struct mz_wakeup_job *job,
                                                          struct mz_wakeup *branch, const struct mz_event *event,
                                                          bool *done)
{
	bool possible[2];
	const uint32_t choice = event->choice;
	struct mz_wakeup_job here = *job;
	if (!find_possible(wakeups, job, event, possible)) return false;
	*done = !possible[1 - choice];
	if (!*done && !add_other(wakeups, job, event)) return false;
	return mz_wakeup_is_leaf(branch) || !possible[choice] || add_below(wakeups, here, branch, event);
}

#define AT_ADDED SIZE_MAX

/* As initial_of(), for a job that has added decisions to the sequence. */
__attribute__((cold, noinline)) static enum mz_initial
added_initial(const struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *event, size_t *at)
{
	uint32_t n = decision_of(wakeups, job, event->thread);
	if (n == NO_DECISION || !wakeups->decisions[n].added)
		return mz_sequence_initial(wakeups->sequence, job_rest(wakeups, job), event, at);
	*at = AT_ADDED;
	return wakeups->decisions[n].event->choice == event->choice ? MZ_INITIAL_IN : MZ_INITIAL_NOT;
}

/* As mz_sequence_initial() of what is left to the job, with the decisions that were added: `*at` of those is AT_ADDED. */
static inline enum mz_initial initial_of(const struct mz_wakeups *wakeups, struct mz_wakeup_job *job,
                                         const struct mz_event *event, size_t *at)
{
	if (__builtin_expect(job->nadded != 0, 0)) return added_initial(wakeups, job, event, at);
	return mz_sequence_initial(wakeups->sequence, job_rest(wakeups, job), event, at);
}

/* Takes a branch that inputs decide out of what is left to the job. Returns false when there is no memory. */
__attribute__((cold, noinline)) static bool take_decided(struct mz_wakeups *wakeups, struct mz_wakeup_job *job,
                                                         const struct mz_event *event, size_t at)
{
	if (at == AT_ADDED)
		job->nadded--;
	else
		mz_rest_take(job_rest(wakeups, job), at);
	return decision_push(wakeups, job, event, false);
}

/* Takes an event out of what is left to the job. Returns false when there is no memory. */
static inline bool take(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *event, size_t at)
{
	if (__builtin_expect(event->condition != 0, 0)) return take_decided(wakeups, job, event, at);
	job->resolved |= wakeups->sequence->at[at].event->guessed && !event->guessed;
	mz_rest_take(job_rest(wakeups, job), at);
	return true;
}

static bool is_done(const struct mz_wakeup_job *job)
{
	return job->rest.left == 0 && job->nadded == 0;
}

static void finish(struct mz_wakeup_job *job)
{
	job->over = true;
}

enum visit { VISIT_NEXT, VISIT_DOWN, VISIT_DONE, VISIT_SPLIT, VISIT_FAILED };

/* Visits a branch where nothing is left of the sequence. (Of what inputs decide, the other alternative was found to be covered
 * when the branch was inserted.) */
static enum visit visit_beyond(struct mz_wakeup_job *job, const struct mz_wakeup *branch, const struct mz_event *event)
{
	if (event->alternatives > 1 && !event->condition) {
		job->choice = event;
		return VISIT_SPLIT;
	}
	return mz_wakeup_is_leaf(branch) ? VISIT_DONE : VISIT_DOWN;
}

/* Visits a branch, whose event another worker may replace meanwhile (guess.h): `event` is what it was when the visit began. */
static enum visit visit(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_wakeup *branch,
                        const struct mz_event *event, struct mz_wakeup_result *result)
{
	size_t at = 0;
	if (__atomic_load_n(&branch->dropped, __ATOMIC_RELAXED)) return VISIT_NEXT;
	if (is_done(job)) return visit_beyond(job, branch, event);
	enum mz_initial initial = initial_of(wakeups, job, event, &at);
	if (initial == MZ_INITIAL_NOT) return VISIT_NEXT;
	if (initial == MZ_INITIAL_IN) {
		if (!take(wakeups, job, event, at)) return VISIT_FAILED;
	} else {
		guess(result, event);
		if (event->alternatives > 1) return VISIT_SPLIT;
	}
	return mz_wakeup_is_leaf(branch) ? VISIT_DONE : VISIT_DOWN;
}

/* Appends the alternatives of the job's `choice` that are neither there nor asleep. Returns false when there is no memory. */
static bool append_alternatives(struct mz_wakeups *wakeups, const struct mz_wakeup_job *job)
{
	struct mz_event event = *job->choice;
	struct mz_wakeup *branches = NULL, **end = &branches, **tree = job->tree;
	for (event.choice = 0; event.choice < event.alternatives; event.choice++) {
		if (is_asleep(wakeups, job, &event)) continue;
		if (!(*end = branch_new(wakeups, &event))) return false;
		if (job->resolved || wakeups->origin->overslept) mark_leaf(wakeups, *end);
		end = &(*end)->next;
	}
	while (*tree) tree = &(*tree)->next;
	__atomic_store_n(tree, branches, __ATOMIC_RELEASE);
	mz_wakeups_touch(wakeups, tree, sizeof *tree);
	return true;
}

/* Handles a branch that is not in the sequence and whose thread has alternatives, see above. */
static bool split_any(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, struct mz_wakeup *branch,
                      const struct mz_event *event, bool *done)
{
	return event->condition ? split_decided(wakeups, job, branch, event, done)
	                        : split(wakeups, job, branch, event, done);
}

/* Works on job `n`, which is the last, until it is done or another one was added, which has to be done first. Returns
 * false when there is no memory. */
static bool job_run(struct mz_wakeups *wakeups, size_t n, struct mz_wakeup_result *result)
{
	for (;;) {
		struct mz_wakeup_job *job = &wakeups->jobs[n];
		struct mz_wakeup *branch = __atomic_load_n(job->tree, __ATOMIC_ACQUIRE);
		if (!branch) break;
		const struct mz_event *event = __atomic_load_n(&branch->event, __ATOMIC_ACQUIRE);
		enum visit then = visit(wakeups, job, branch, event, result);
		bool done = then == VISIT_DONE;
		struct mz_wakeup **next = &branch->next;
		if (then == VISIT_FAILED) return false;
		if (then == VISIT_SPLIT && !split_any(wakeups, job, branch, event, &done)) return false;
		job = &wakeups->jobs[n];
		if (then == VISIT_DOWN) {
			job->choice = NULL;
			job_wake(wakeups, job, event);
			open_branch(wakeups, branch);
			next = &branch->first;
		}
		job->tree = next;
		if (done) finish(job);
		if (done || wakeups->njobs > n + 1) return true;
	}
	struct mz_wakeup_job *job = &wakeups->jobs[n];
	bool appends = !is_done(job) || job->choice;
	if (appends) result->covered = false;
	if (appends && !wakeups->origin->looks &&
	    !(job->choice ? append_alternatives(wakeups, job) : append_rest(wakeups, job)))
		return false;
	finish(job);
	return true;
}

static bool run_jobs(struct mz_wakeups *wakeups, struct mz_wakeup_result *result)
{
	while (wakeups->njobs) {
		size_t n = wakeups->njobs - 1;
		struct mz_wakeup_job *job = &wakeups->jobs[n];
		if (job->over) {
			wakeups->njobs--;
			continue;
		}
		wakeups->ngone = job->first_gone + wakeups->sequence->count;
		wakeups->nsleepers = job->first_sleeper + job->nasleep;
		if (!job_run(wakeups, n, result)) return false;
	}
	return true;
}

/* Finds out whether a sleeper of a thread with alternatives covers the sequence, because there is no other one or all
 * others sleep. Returns false when there is no memory. */
static bool check_alternatives(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *sleeper,
                               bool *covered)
{
	bool possible[2];
	if (!sleeper->condition) {
		if (!job_add_sleeper(wakeups, job, sleeper)) return false;
		*covered = all_asleep(wakeups, job, sleeper);
		return true;
	}
	if (!find_possible(wakeups, job, sleeper, possible)) return false;
	*covered = !possible[1 - sleeper->choice];
	return *covered || add_other(wakeups, job, sleeper);
}

/* Finds out whether sleepers cover the sequence. A sleeper that would do so only together with the other alternatives
 * of its thread is added to the job. Returns false when there is no memory. */
static bool check_sleepers(struct mz_wakeups *wakeups, const struct mz_sleep *sleep, const struct mz_sleep_set *asleep,
                           struct mz_wakeup_result *result, bool *covered)
{
	struct mz_wakeup_job *job = &wakeups->jobs[0];
	*covered = false;
	for (size_t n = 0; n < asleep->count && !*covered; n++) {
		const struct mz_event *sleeper = mz_sleep_at(sleep, asleep, n);
		size_t at;
		enum mz_initial initial = initial_of(wakeups, job, sleeper, &at);
		if (initial == MZ_INITIAL_WEAK && wakeups->origin->initials) initial = MZ_INITIAL_NOT;
		if (initial == MZ_INITIAL_NOT) continue;
		*covered = initial == MZ_INITIAL_IN || sleeper->alternatives == 1;
		if (initial == MZ_INITIAL_IN) continue;
		guess(result, sleeper);
		if (!*covered && !check_alternatives(wakeups, job, sleeper, covered)) return false;
	}
	return true;
}

bool mz_wakeups_insert(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_sleep *sleep,
                       const struct mz_sleep_set *asleep, const struct mz_sequence *sequence,
                       const struct mz_wakeup_origin *origin, struct mz_wakeup_result *result)
{
	bool covered;
	*result = (struct mz_wakeup_result){.covered = true};
	wakeups->njobs = wakeups->ngone = wakeups->nsleepers = wakeups->ndecisions = 0;
	wakeups->sequence = sequence;
	wakeups->origin = origin;
	if (!job_push(wakeups, tree, NULL)) return false;
	if (!check_sleepers(wakeups, sleep, asleep, result, &covered)) return false;
	return covered || run_jobs(wakeups, result);
}

void mz_wakeup_check(const struct mz_wakeup *tree)
{
	for (const struct mz_wakeup *branch = tree; branch; branch = branch->next) {
		MZ_REQUIRE(branch->event->choice < branch->event->alternatives);
		for (const struct mz_wakeup *other = branch->next; other; other = other->next) {
			MZ_REQUIRE(branch->dropped || other->dropped || other->event->thread != branch->event->thread ||
			           other->event->choice != branch->event->choice);
		}
	}
}
