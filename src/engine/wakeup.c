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
#include "engine/wakeup.h"
#include "base/alloc.h"
#include "base/bug.h"
#include <string.h>

/* The sequence is events[first .. first + count), the sleepers are the `nasleep` after it. Only the last job's part of
 * the stack grows. */
struct mz_wakeup_job {
	struct mz_wakeup **tree;
	size_t first;
	size_t count;
	size_t nasleep;
};

void mz_wakeups_release(struct mz_wakeups *wakeups)
{
	mz_pool_release(&wakeups->pool);
	mz_free(wakeups->jobs);
	mz_free(wakeups->events);
	*wakeups = (struct mz_wakeups){0};
}

static size_t block_size(const struct mz_event *event)
{
	return sizeof(struct mz_wakeup) + event->naccesses * sizeof(struct mz_access);
}

static struct mz_wakeup *branch_new(struct mz_wakeups *wakeups, const struct mz_event *event)
{
	struct mz_wakeup *branch = mz_pool_take(&wakeups->pool, block_size(event));
	if (!branch) return NULL;
	branch->event = *event;
	branch->next = branch->first = NULL;
	branch->event.accesses = branch->accesses;
	if (event->naccesses) memcpy(branch->accesses, event->accesses, event->naccesses * sizeof *branch->accesses);
	return branch;
}

void mz_wakeups_free(struct mz_wakeups *wakeups, struct mz_wakeup *branch)
{
	mz_pool_give(&wakeups->pool, branch, block_size(&branch->event));
}

void mz_wakeups_free_tree(struct mz_wakeups *wakeups, struct mz_wakeup *tree)
{
	while (tree) { /* put what is below the first branch behind it: no recursion */
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

static bool append_sequence(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *const *sequence,
                            size_t count)
{
	while (*tree) tree = &(*tree)->next;
	for (size_t n = 0; n < count; n++) {
		*tree = branch_new(wakeups, sequence[n]);
		if (!*tree) return false;
		tree = &(*tree)->first;
	}
	return true;
}

static bool reserve(struct mz_wakeups *wakeups, size_t more)
{
	size_t need = wakeups->nevents + more;
	void *grown = mz_grow(wakeups->events, &wakeups->events_capacity, need, sizeof *wakeups->events);
	if (!grown) return false;
	wakeups->events = grown;
	return true;
}

/* Starts a job at the top of the stack with the sequence, and without sleepers. */
static bool job_push(struct mz_wakeups *wakeups, struct mz_wakeup **tree, const struct mz_event *const *sequence,
                     size_t count)
{
	void *jobs = mz_grow(wakeups->jobs, &wakeups->jobs_capacity, wakeups->njobs + 1, sizeof *wakeups->jobs);
	if (!jobs) return false;
	wakeups->jobs = jobs;
	if (!reserve(wakeups, count)) return false;
	wakeups->jobs[wakeups->njobs++] = (struct mz_wakeup_job){tree, wakeups->nevents, count, 0};
	for (size_t n = 0; n < count; n++) wakeups->events[wakeups->nevents + n] = sequence[n];
	wakeups->nevents += count;
	return true;
}

static bool job_add_sleeper(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *sleeper)
{
	if (!reserve(wakeups, 1)) return false;
	wakeups->events[wakeups->nevents++] = sleeper;
	job->nasleep++;
	return true;
}

static const struct mz_event **job_sleepers(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job)
{
	return wakeups->events + job->first + job->count;
}

/* Whether all alternatives of the thread of `event` are among the sleepers. */
static bool all_asleep(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job, const struct mz_event *event)
{
	uint32_t asleep = 0;
	for (size_t n = 0; n < job->nasleep; n++) asleep += job_sleepers(wakeups, job)[n]->thread == event->thread;
	return asleep >= event->alternatives;
}

/* The sleepers that are left after `event`. */
static void job_wake(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, const struct mz_event *event)
{
	const struct mz_event **sleepers = job_sleepers(wakeups, job);
	size_t kept = 0;
	for (size_t n = 0; n < job->nasleep; n++) {
		if (sleepers[n]->thread == event->thread || mz_events_conflict(sleepers[n], event)) continue;
		sleepers[kept++] = sleepers[n];
	}
	wakeups->nevents -= job->nasleep - kept;
	job->nasleep = kept;
}

/* Takes element `at` out of the sequence: what is before it moves up by one. */
static void job_remove(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, size_t at)
{
	const struct mz_event **sequence = wakeups->events + job->first;
	for (; at > 0; at--) sequence[at] = sequence[at - 1];
	job->first++;
	job->count--;
}

static void guess(struct mz_wakeup_result *result, const struct mz_event *event)
{
	result->guessed = true;
	mz_footprint_add(&result->guesses, event);
}

/* A branch, not in the sequence, of a thread that has alternatives: a job for what is below it, and a sleeper for what
 * is beside it. `*done` if nothing beside it is needed. */
static bool split(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, struct mz_wakeup *branch, bool *done)
{
	if (!job_add_sleeper(wakeups, job, &branch->event)) return false;
	*done = all_asleep(wakeups, job, &branch->event);
	if (!branch->first) return true;
	struct mz_wakeup_job here = *job; /* this job is suspended below the new one, which runs first */
	if (!reserve(wakeups, job->count + job->nasleep)) return false;
	if (!job_push(wakeups, &branch->first, wakeups->events + here.first, here.count)) return false;
	struct mz_wakeup_job *below = &wakeups->jobs[wakeups->njobs - 1];
	for (size_t n = 0; n < here.nasleep; n++) {
		if (!job_add_sleeper(wakeups, below, job_sleepers(wakeups, &here)[n])) return false;
	}
	job_wake(wakeups, below, &branch->event);
	return true;
}

/* What the outline rules out need not be looked for: what is left of a sequence is in its outline too. */
static enum mz_initial initial_of(const struct mz_wakeups *wakeups, const struct mz_wakeup_job *job,
                                  const struct mz_event *event, size_t *at)
{
	if (mz_outline_misses(&wakeups->outline, event)) return MZ_INITIAL_WEAK;
	return mz_sequence_initial(wakeups->events + job->first, job->count, event, at);
}

enum visit { VISIT_NEXT, VISIT_DOWN, VISIT_DONE, VISIT_SPLIT, VISIT_FAILED };

static enum visit visit(struct mz_wakeups *wakeups, struct mz_wakeup_job *job, struct mz_wakeup *branch,
                        struct mz_wakeup_result *result)
{
	size_t at = 0;
	enum mz_initial initial = initial_of(wakeups, job, &branch->event, &at);
	if (initial == MZ_INITIAL_NOT) return VISIT_NEXT;
	if (initial == MZ_INITIAL_IN) {
		job_remove(wakeups, job, at);
	} else {
		guess(result, &branch->event);
		if (branch->event.alternatives > 1) return VISIT_SPLIT;
	}
	return branch->first && job->count ? VISIT_DOWN : VISIT_DONE;
}

/* Works on job `n`, which is the last, until it is done or others have to be done before it. */
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
			job_wake(wakeups, job, &branch->event);
			next = &branch->first;
		}
		job->tree = next;
		if (done) job->count = 0;
		if (done || wakeups->njobs > n + 1) return true;
	}
	const struct mz_wakeup_job *job = &wakeups->jobs[n];
	if (job->count) result->covered = false;
	if (!append_sequence(wakeups, job->tree, wakeups->events + job->first, job->count)) return false;
	wakeups->jobs[n].count = 0;
	return true;
}

static bool run_jobs(struct mz_wakeups *wakeups, struct mz_wakeup_result *result)
{
	while (wakeups->njobs) {
		size_t n = wakeups->njobs - 1;
		struct mz_wakeup_job *job = &wakeups->jobs[n];
		if (job->count == 0) {
			wakeups->njobs--;
			continue;
		}
		wakeups->nevents = job->first + job->count + job->nasleep;
		if (!job_run(wakeups, n, result)) return false;
	}
	return true;
}

/* Whether sleepers cover the sequence. Those that would, together with other alternatives of their thread, are added to
 * the job. */
static bool check_sleepers(struct mz_wakeups *wakeups, const struct mz_sleep *sleep, const struct mz_sleep_set *asleep,
                           struct mz_wakeup_result *result, bool *covered)
{
	struct mz_wakeup_job *job = &wakeups->jobs[0];
	*covered = false;
	for (size_t n = 0; n < asleep->count && !*covered; n++) {
		const struct mz_event *sleeper = mz_sleep_at(sleep, asleep, n);
		size_t at;
		enum mz_initial initial = initial_of(wakeups, job, sleeper, &at);
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
                       const struct mz_sleep_set *asleep, const struct mz_event *const *sequence, size_t count,
                       const struct mz_outline *outline, struct mz_wakeup_result *result)
{
	bool covered;
	*result = (struct mz_wakeup_result){.covered = true};
	wakeups->njobs = 0;
	wakeups->nevents = 0;
	wakeups->outline = *outline;
	if (!job_push(wakeups, tree, sequence, count)) return false;
	if (!check_sleepers(wakeups, sleep, asleep, result, &covered)) return false;
	return covered || run_jobs(wakeups, result);
}

void mz_wakeup_check(const struct mz_wakeup *tree)
{
	for (const struct mz_wakeup *branch = tree; branch; branch = branch->next) {
		MZ_REQUIRE(branch->event.choice < branch->event.alternatives);
		for (const struct mz_wakeup *other = branch->next; other; other = other->next) {
			MZ_REQUIRE(other->event.thread != branch->event.thread ||
			           other->event.choice != branch->event.choice);
		}
	}
}
