/* SPDX-License-Identifier: MIT
 *
 * Insertion follows the first branch that is a weak initial of the sequence (and takes it out of the sequence if it is
 * in) until that is a leaf, nothing is left of the sequence, or no branch is; then the rest becomes a new branch.
 *
 * A branch of a thread with several alternatives that is not in the sequence covers only the executions in which the
 * thread takes that alternative. So the sequence is inserted below it, and also beside it unless all alternatives of
 * that thread are there, as branches or asleep. Insertion is therefore a list of jobs: a sequence, a place in the tree,
 * and the sleepers of that kind (there are hardly ever any).
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
};

void mz_wakeups_release(struct mz_wakeups *wakeups)
{
	mz_pool_release(&wakeups->pool);
	mz_interned_release(&wakeups->events);
	mz_free(wakeups->jobs);
	mz_free(wakeups->gone);
	mz_free(wakeups->sleepers);
	*wakeups = (struct mz_wakeups){0};
}

static struct mz_wakeup *branch_new(struct mz_wakeups *wakeups, const struct mz_event *event)
{
	const struct mz_event *kept = mz_interned_event(&wakeups->events, event);
	struct mz_wakeup *branch = kept ? mz_pool_take(&wakeups->pool, sizeof *branch) : NULL;
	if (branch) *branch = (struct mz_wakeup){.event = kept};
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

bool mz_wakeups_append(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *event)
{
	struct mz_wakeup *branch = branch_new(wakeups, event);
	if (!branch) return false;
	while (*tree) tree = &(*tree)->next;
	*tree = branch;
	return true;
}

/* Appends what is left of the sequence as a branch. */
static bool append_rest(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const bool *gone)
{
	while (*tree) tree = &(*tree)->next;
	for (size_t n = 0; n < wakeups->sequence->count; n++) {
		if (gone[n]) continue;
		*tree = branch_new(wakeups, wakeups->sequence->at[n].event);
		if (!*tree) return false;
		tree = &(*tree)->first;
	}
	return true;
}

/* Starts a job at the top of the stacks, without sleepers: on what is left to job `like`, or on everything. */
static bool job_push(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_wakeup_job *like)
{
	size_t count = wakeups->sequence->count;
	if (!mz_array_reserve(&wakeups->jobs, &wakeups->jobs_capacity, wakeups->njobs + 1)) return false;
	if (!mz_array_reserve(&wakeups->gone, &wakeups->gone_capacity, wakeups->ngone + count)) return false;
	struct mz_rest rest = like ? like->rest : (struct mz_rest){.left = count};
	bool *marks = wakeups->gone + wakeups->ngone;
	for (size_t n = 0; n < count; n++) marks[n] = like && wakeups->gone[like->first_gone + n];
	wakeups->jobs[wakeups->njobs++] = (struct mz_wakeup_job){tree, rest, wakeups->ngone, wakeups->nsleepers, 0};
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

/* Handles a branch that is not in the sequence and whose thread has alternatives: adds a job for what is below the
 * branch, and makes the branch a sleeper for what is beside it. Sets `*done` if nothing beside it is needed. Returns
 * false when there is no memory. */
static bool split(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, struct mz_wakeup *branch, bool *done)
{
	if (!job_add_sleeper(wakeups, job, branch->event)) return false;
	*done = all_asleep(wakeups, job, branch->event);
	if (!branch->first) return true;
	/* a copy, because the jobs may move; this job waits until the new one is done */
	struct mz_wakeup_job here = *job;
	if (!job_push(wakeups, &branch->first, &here)) return false;
	struct mz_wakeup_job *below = &wakeups->jobs[wakeups->njobs - 1];
	for (size_t n = 0; n < here.nasleep; n++) {
		if (!job_add_sleeper(wakeups, below, job_sleepers(wakeups, &here)[n])) return false;
	}
	job_wake(wakeups, below, branch->event);
	return true;
}

enum visit { VISIT_NEXT, VISIT_DOWN, VISIT_DONE, VISIT_SPLIT, VISIT_FAILED };

static enum visit visit(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, struct mz_wakeup *branch,
                        struct mz_wakeup_result *result)
{
	size_t at = 0;
	struct mz_rest *rest = job_rest(wakeups, job);
	enum mz_initial initial = mz_sequence_initial(wakeups->sequence, rest, branch->event, &at);
	if (initial == MZ_INITIAL_NOT) return VISIT_NEXT;
	if (initial == MZ_INITIAL_IN) {
		mz_rest_take(rest, at);
	} else {
		guess(result, branch->event);
		if (branch->event->alternatives > 1) return VISIT_SPLIT;
	}
	return branch->first && rest->left ? VISIT_DOWN : VISIT_DONE;
}

/* Works on job `n`, which is the last, until it is done or another one was added, which has to be done first. Returns
 * false when there is no memory. */
static bool job_run(struct mz_wakeups *wakeups, size_t n, struct mz_wakeup_result *result)
{
	for (;;) {
		struct mz_wakeup_job *job = &wakeups->jobs[n];
		struct mz_wakeup *branch = *job->tree;
		if (!branch) break;
		enum visit then = visit(wakeups, job, branch, result);
		bool done = then == VISIT_DONE;
		struct mz_wakeup **next = &branch->next;
		if (then == VISIT_SPLIT && !split(wakeups, job, branch, &done)) return false;
		job = &wakeups->jobs[n];
		if (then == VISIT_DOWN) {
			job_wake(wakeups, job, branch->event);
			next = &branch->first;
		}
		job->tree = next;
		if (done) job->rest.left = 0;
		if (done || wakeups->njobs > n + 1) return true;
	}
	const struct mz_wakeup_job *job = &wakeups->jobs[n];
	if (job->rest.left) result->covered = false;
	if (!append_rest(wakeups, job->tree, wakeups->gone + job->first_gone)) return false;
	wakeups->jobs[n].rest.left = 0;
	return true;
}

static bool run_jobs(struct mz_wakeups *wakeups, struct mz_wakeup_result *result)
{
	while (wakeups->njobs) {
		size_t n = wakeups->njobs - 1;
		struct mz_wakeup_job *job = &wakeups->jobs[n];
		if (job->rest.left == 0) {
			wakeups->njobs--;
			continue;
		}
		wakeups->ngone = job->first_gone + wakeups->sequence->count;
		wakeups->nsleepers = job->first_sleeper + job->nasleep;
		if (!job_run(wakeups, n, result)) return false;
	}
	return true;
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
		enum mz_initial initial = mz_sequence_initial(wakeups->sequence, job_rest(wakeups, job), sleeper, &at);
		if (initial == MZ_INITIAL_NOT) continue;
		*covered = initial == MZ_INITIAL_IN || sleeper->alternatives == 1;
		if (initial == MZ_INITIAL_IN) continue;
		guess(result, sleeper);
		if (*covered) continue;
		if (!job_add_sleeper(wakeups, job, sleeper)) return false;
		*covered = all_asleep(wakeups, job, sleeper);
	}
	return true;
}

bool mz_wakeups_insert(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_sleep *sleep,
                       const struct mz_sleep_set *asleep, const struct mz_sequence *sequence,
                       struct mz_wakeup_result *result)
{
	bool covered;
	*result = (struct mz_wakeup_result){.covered = true};
	wakeups->njobs = wakeups->ngone = wakeups->nsleepers = 0;
	wakeups->sequence = sequence;
	if (!job_push(wakeups, tree, NULL)) return false;
	if (!check_sleepers(wakeups, sleep, asleep, result, &covered)) return false;
	return covered || run_jobs(wakeups, result);
}

void mz_wakeup_check(const struct mz_wakeup *tree)
{
	for (const struct mz_wakeup *branch = tree; branch; branch = branch->next) {
		MZ_REQUIRE(branch->event->choice < branch->event->alternatives);
		for (const struct mz_wakeup *other = branch->next; other; other = other->next) {
			MZ_REQUIRE(other->event->thread != branch->event->thread ||
			           other->event->choice != branch->event->choice);
		}
	}
}
