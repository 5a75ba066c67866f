/* SPDX-License-Identifier: MIT */
#include "explorer/explore_states.h"
#include "base/bug.h"
#include "engine/search.h"
#include "engine/stateful/cartesian.h"
#include "explorer/counts.h"
#include "explorer/outcome.h"
#include "explorer/states.h"
#include <stdio.h>
#include <string.h>

struct job {
	struct mz_session *session;
	struct mz_cartesian *search;
	struct mz_cartesian_counts before; /* the counts of the workers that this one replaces */
};

/* Returns what this worker and those that it replaces have counted, and publishes it. */
static struct mz_cartesian_counts count(void *self)
{
	const struct job *job = self;
	struct mz_cartesian_counts counts = mz_cartesian_counts(job->search);
	const struct mz_cartesian_counts *before = &job->before;
	counts.states += before->states;
	counts.steps += before->steps;
	counts.ends += before->ends;
	counts.dropped += before->dropped;
	counts.cut += before->cut;
	counts.found += before->found;
	counts.unshown += before->unshown;
	counts.timed += before->timed;
	mz_counts_set(job->session, mz_counts_of_states(&counts));
	return counts;
}

static bool is_told_to_stop(void *self)
{
	struct mz_session *session = self;
	if (session->steps) MZ_PLANT("worker");
	session->pulse++;
	return atomic_load_explicit(&session->stop, memory_order_relaxed);
}

/* This process may never have run the thread. */
static void name_thread(struct mz_states *states, uint32_t thread, char *name, size_t size)
{
	uint32_t path[8], depth = 0;
	while (thread != 0 && depth < sizeof path / sizeof *path) {
		struct mz_session_thread who = mz_states_thread(states, thread);
		path[depth++] = who.nth;
		thread = who.parent;
	}
	size_t length = (size_t)snprintf(name, size, "%s", thread ? "..." : "main");
	while (depth && length < size) length += (size_t)snprintf(name + length, size - length, "/%u", path[--depth]);
}

/* Reports a thread that can look for ever at what others change. Whether it is meant to do that, states cannot tell. */
static void report_looking(struct mz_session *session, struct mz_states *states, uint32_t thread)
{
	char name[100], text[sizeof session->message];
	name_thread(states, thread, name, sizeof name);
	snprintf(text, sizeof text,
	         "the program never ends, and thread %s can get to where it only looks, for ever, at what others "
	         "change: whether it waits in vain is not known",
	         name);
	mz_outcome_set(session, MZ_OUTCOME_LIMIT, text);
}

/* Reports a bug of some state that did not happen again under the schedule that leads to that state. */
static void report_unshown(struct mz_session *session, bool timed)
{
	const struct mz_session_call *call = session->uncontrolled, *end = call + MZ_SESSION_CALLS;
	char text[sizeof session->message];
	while (call < end && !call->calls) call++;
	if (timed)
		snprintf(
		    text, sizeof text,
		    "a thread looks in a loop for what may come once a timer expires, which is when no thread can go "
		    "on: try a strategy that explores executions");
	else if (call == end)
		snprintf(text, sizeof text,
		         "a bug did not happen again under its schedule: the program depends on more than that");
	else
		snprintf(text, sizeof text,
		         "the program did not do the same again, for it uses what is in no state (%s): try a strategy "
		         "that explores executions",
		         call->name);
	mz_outcome_set(session, MZ_OUTCOME_LIMIT, text);
}

static void conclude(struct mz_session *session, struct mz_states *states, enum mz_cartesian_end end,
                     const struct mz_cartesian_counts *counts)
{
	if (end == MZ_CARTESIAN_DONE && mz_states_counts(states).left > 0) end = MZ_CARTESIAN_STOPPED;
	const struct mz_cartesian_counts total = mz_states_total(states);
	bool all_shown = counts->unshown == 0 && total.unshown == 0;
	bool timed = counts->unshown == counts->timed && total.unshown == total.timed;
	switch (end) {
	case MZ_CARTESIAN_DONE:
		if (!all_shown) break;
		mz_outcome_set(session, MZ_OUTCOME_DONE, "");
		return;
	case MZ_CARTESIAN_STOPPED: mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the run was told to stop"); return;
	case MZ_CARTESIAN_FULL: mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the limit on memory was reached"); return;
	case MZ_CARTESIAN_NO_MEMORY: mz_outcome_set(session, MZ_OUTCOME_LIMIT, "there was no memory left"); return;
	case MZ_CARTESIAN_LOOKS: report_looking(session, states, counts->looks); return;
	case MZ_CARTESIAN_FOUND: break;
	}
	if (session->nfindings && all_shown)
		mz_outcome_set(session, MZ_OUTCOME_BUG, "");
	else
		report_unshown(session, timed);
}

static enum mz_cartesian_end search(struct mz_session *session, const struct mz_stateful *program,
                                    struct mz_states_user *user, struct mz_cartesian_counts *counts)
{
	struct job job = {.session = session};
	const struct mz_frontier frontier = mz_states_frontier(user);
	struct mz_cartesian_options options = {
	    .program = program,
	    .frontier = &frontier,
	    .minimal = mz_strategy_minimal(mz_strategy_find(session->configuration.strategy)),
	    .as_published = session->configuration.as_published,
	    .literal = session->configuration.as_published,
	    .races = session->configuration.races,
	    .endless = true,
	    .keep_going = session->configuration.keep_going,
	    .max_steps = session->configuration.max_steps,
	    .stop = is_told_to_stop,
	    .stopper = session};
	job.search = mz_cartesian_new(&options);
	if (!job.search) return MZ_CARTESIAN_NO_MEMORY;
	job.before = mz_states_join(user);
	user->count = count;
	user->counter = &job;
	enum mz_cartesian_end end = mz_cartesian_run(job.search);
	*counts = mz_cartesian_counts(job.search);
	/* of a program that has no states, one worker says what it did */
	if (user->worker == 0) count(&job);
	session->never_ends = counts->never_ends;
	mz_cartesian_free(job.search);
	return end;
}

void mz_explore_states(struct mz_session *session, const struct mz_stateful *program, struct mz_states *states)
{
	uint64_t started = mz_now();
	struct mz_cartesian_counts counts = {0};
	struct mz_states_user user = {.states = states,
	                              .worker = session->worker,
	                              .seat = session->seat,
	                              .stop = &session->stop,
	                              .session = session};
	strcpy(session->method, session->configuration.strategy);
	mz_link_serve(session);
	if (session->nfindings && !session->configuration.keep_going) {
		mz_outcome_set(session, MZ_OUTCOME_BUG, ""); /* an earlier run has found it */
		return;
	}
	enum mz_cartesian_end end = search(session, program, &user, &counts);
	if (user.outdated)
		mz_outcome_set(session, MZ_OUTCOME_AGAIN, "");
	else if (user.is_foreign)
		mz_outcome_set(session, MZ_OUTCOME_FOREIGN,
		               "its first state is not the same in this process as in others that search its states");
	else
		conclude(session, states, end, &counts);
	mz_states_user_release(&user);
	session->nanoseconds = mz_now() - started;
}
