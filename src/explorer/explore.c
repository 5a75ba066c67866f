/* SPDX-License-Identifier: MIT */
#include "explorer/explore.h"
#include "engine/search.h"
#include <stdio.h>
#include <time.h>

static void publish(struct mz_session *session, const struct mz_search *search)
{
	struct mz_search_counts counts = mz_search_counts(search);
	session->executions = counts.executions;
	session->redundant = counts.redundant;
	session->traces = counts.traces;
	session->steps = counts.steps;
}

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void finish(struct mz_session *session, enum mz_outcome outcome, const char *message)
{
	session->outcome = (uint32_t)outcome;
	snprintf(session->message, sizeof session->message, "%s", message);
}

/* Whether the run ends here although the search could go on. */
static bool is_over(struct mz_session *session, enum mz_end end)
{
	if (end == MZ_END_DIVERGED || (session->nfindings && !session->keep_going)) {
		finish(session, MZ_OUTCOME_BUG, "");
		return true;
	}
	if (session->max_executions && session->executions + session->redundant >= session->max_executions) {
		finish(session, MZ_OUTCOME_LIMIT, "the limit on executions was reached");
		return true;
	}
	if (atomic_load_explicit(&session->stop, memory_order_relaxed)) {
		finish(session, MZ_OUTCOME_LIMIT, "it was told to stop");
		return true;
	}
	return false;
}

static void explore(struct mz_session *session, const struct mz_executor *executor, struct mz_search *search)
{
	const struct mz_driver driver = {search, mz_search_choose, mz_search_observe, mz_search_order};
	struct mz_view view;
	uint32_t known;
	while (mz_search_next(search, &known)) {
		enum mz_end end = executor->run(executor->self, session->schedule, known, &driver, &view);
		bool cut = end == MZ_END_STEPS || end == MZ_END_DIVERGED;
		session->cut += end == MZ_END_STEPS;
		mz_search_end(search, &view, cut);
		publish(session, search);
		if (is_over(session, end)) return;
	}
	publish(session, search);
	if (mz_search_failed(search))
		finish(session, MZ_OUTCOME_LIMIT, "there was no memory left");
	else
		finish(session, MZ_OUTCOME_DONE, "");
}

void mz_explore(struct mz_session *session, const struct mz_executor *executor)
{
	struct mz_search_options options = {.strategy = mz_strategy_find(session->strategy),
	                                    .count_traces = session->count_traces,
	                                    .no_sleep = session->no_sleep,
	                                    .order = (enum mz_order)session->order,
	                                    .bounded = session->bounded,
	                                    .preemptions = session->preemptions,
	                                    .fair = session->fair,
	                                    .yields = session->yields,
	                                    .delayed = session->delayed,
	                                    .delays = session->delays,
	                                    .max_depth = session->max_depth,
	                                    .no_opt = session->no_opt,
	                                    .seed = session->seed,
	                                    .depth = session->depth,
	                                    .max_executions = session->max_executions};
	struct mz_search *search = options.strategy ? mz_search_new(&options) : NULL;
	if (!search) {
		finish(session, MZ_OUTCOME_LIMIT, "there was no memory left");
		return;
	}
	uint64_t started = now();
	explore(session, executor, search);
	session->nanoseconds = now() - started;
	session->promise = mz_search_promise(search);
	mz_search_free(search);
}
