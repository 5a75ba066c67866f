/* SPDX-License-Identifier: MIT
 *
 * An execution, from mz_engine_begin() over mz_engine_schedule() to mz_engine_next(), or given up midway
 * (mz_engine_abandon()). The step under way counts for nothing then. If it was one that repeats what was done before,
 * the search has learned nothing, and the same execution is run again.
 */
#include "base/array.h"
#include "engine/host/host.h"

/* How often in a row an execution may be given up where the one before went on. */
#define REPETITIONS 10

static int begin(mz_engine *engine)
{
	if (engine->failed) return -1;
	if (engine->state == STATE_RUNNING || engine->state == STATE_OVER)
		return mz_host_fail(engine, "mz_engine_begin: the execution before is not over: call mz_engine_next");
	if (engine->state == STATE_FINISHED)
		return mz_host_fail(engine, "mz_engine_begin: there is nothing left to explore");
	if (engine->state == STATE_NEW && !mz_search_next(engine->search, &engine->known))
		return mz_host_no_memory(engine);
	if (!mz_host_add_threads(engine, engine->first_threads)) return mz_host_no_memory(engine);
	engine->nsteps = 0;
	engine->nedges = 0;
	engine->cut = engine->abandoned = false;
	engine->current = MZ_NO_THREAD;
	engine->state = STATE_RUNNING;
	mz_host_step_start(engine, MZ_NO_THREAD);
	mz_host_reset_threads(engine);
	mz_host_reset_objects(engine);
	return 0;
}

MZ_API int mz_engine_begin(mz_engine *engine)
{
	return engine ? mz_host_enter(engine, begin, -1) : -1;
}

/* ---- who goes next ---- */

static struct mz_view view_of(const mz_engine *engine)
{
	return (struct mz_view){(uint32_t)engine->nthreads, engine->current, engine->pending};
}

static bool past_reserve(mz_engine *engine)
{
	return mz_array_reserve(&engine->past, &engine->past_capacity, engine->nsteps + 1UL) &&
	       mz_array_reserve(&engine->schedule, &engine->schedule_capacity, engine->nsteps + 1UL);
}

static int over(mz_engine *engine, int why)
{
	engine->state = STATE_OVER;
	engine->cut = why == MZ_ENGINE_CUT;
	return why;
}

/* Returns whether the search has reached its limit on memory: then it has ended. */
static bool is_full(mz_engine *engine)
{
	if (mz_search_failed(engine->search) && mz_search_memory(engine->search).full) engine->full = true;
	return engine->full;
}

static int ask(mz_engine *engine)
{
	struct mz_view view = view_of(engine);
	struct mz_step step = mz_search_choose(engine->search, &view);
	if (step.thread < engine->nthreads && engine->pending[step.thread].status == MZ_THREAD_ENABLED)
		return (int)step.thread;
	if (step.thread != MZ_NO_THREAD) {
		mz_host_fail(engine, "after step %u thread %u cannot go on, and it could when other steps came before",
		             engine->nsteps, step.thread);
		return MZ_ENGINE_ERROR;
	}
	if (!mz_search_failed(engine->search) || is_full(engine)) return MZ_ENGINE_CUT;
	mz_host_no_memory(engine);
	return MZ_ENGINE_ERROR;
}

/* Ends the step under way. Returns whether an execution goes on, and the engine has not failed. */
static bool end_step(mz_engine *engine)
{
	if (!engine->failed && engine->state != STATE_RUNNING)
		mz_host_fail(engine, "mz_engine_schedule: no execution is under way");
	if (engine->failed) return false;
	mz_host_step_end(engine);
	mz_host_look_at_threads(engine);
	if (!past_reserve(engine)) mz_host_no_memory(engine);
	bool seen = engine->nsteps <= engine->known && !engine->first_execution && !engine->failed;
	if (seen && engine->past[engine->nsteps].could != engine->could)
		mz_host_fail(engine, "after step %u other threads can go than under the same schedule before",
		             engine->nsteps);
	return !engine->failed;
}

static void start_step(mz_engine *engine, uint32_t thread)
{
	bool alone = mz_host_take_turn(engine, thread);
	engine->past[engine->nsteps].thread = engine->schedule[engine->nsteps] = engine->current = thread;
	mz_host_step_start(engine, thread);
	engine->step.alone = alone;
}

static int schedule(mz_engine *engine)
{
	if (!end_step(engine)) return MZ_ENGINE_ERROR;
	if (engine->ncould == 0) return over(engine, mz_search_probes(engine->search) ? MZ_ENGINE_CUT : MZ_ENGINE_DONE);
	if (engine->nsteps >= engine->max_steps) {
		engine->limited = true;
		return over(engine, MZ_ENGINE_CUT);
	}
	struct mz_host_past *past = &engine->past[engine->nsteps];
	past->could = engine->could;
	int thread = mz_host_is_known(engine) ? (int)past->thread : ask(engine);
	if (thread < 0) return thread == MZ_ENGINE_CUT ? over(engine, thread) : thread;
	start_step(engine, (uint32_t)thread);
	return thread;
}

MZ_API int mz_engine_schedule(mz_engine *engine)
{
	return engine ? mz_host_enter(engine, schedule, MZ_ENGINE_ERROR) : MZ_ENGINE_ERROR;
}

MZ_API int mz_engine_abandon(mz_engine *engine)
{
	if (!engine || engine->failed) return -1;
	if (engine->state == STATE_OVER) return 0;
	if (engine->state != STATE_RUNNING) return mz_host_fail(engine, "mz_engine_abandon: no execution is under way");
	mz_host_forget_changes(engine);
	engine->repeats = mz_host_is_known(engine);
	engine->abandoned = true;
	over(engine, MZ_ENGINE_CUT);
	mz_host_step_start(engine, MZ_NO_THREAD);
	return 0;
}

/* ---- the next execution ---- */

/* Makes threads that wait for something unknown pending with a write to everything, because they might do anything. */
static bool guess_waiting(mz_engine *engine)
{
	if (engine->neverything > UINT16_MAX) engine->neverything = UINT16_MAX + 1;
	for (uint32_t t = 0; t < engine->nthreads; t++) {
		struct mz_pending *pending = &engine->pending[t];
		if (pending->status != MZ_THREAD_WAITING) continue;
		if (engine->neverything > UINT16_MAX)
			return !mz_host_fail(engine,
			                     "thread %u waits for ever, and it may be for any of more than %u objects",
			                     t, UINT16_MAX);
		pending->accesses = engine->everything;
		pending->naccesses = (uint16_t)engine->neverything;
	}
	return true;
}

/* Lets the host run the execution again that it gave up where it only repeated what was done before. */
static int repeat(mz_engine *engine)
{
	if (++engine->repetitions > REPETITIONS) {
		mz_host_fail(engine, "%u executions in a row were abandoned at step %u, where one went on before",
		             REPETITIONS, engine->nsteps + 1);
		return 0;
	}
	engine->repeats = false;
	engine->state = STATE_READY;
	return 1;
}

static void end_execution(mz_engine *engine)
{
	struct mz_view view = view_of(engine);
	if (engine->abandoned)
		mz_search_drop(engine->search, &view, false);
	else
		mz_search_end(engine->search, &view, engine->cut);
	engine->first_execution = false;
	engine->repetitions = 0;
}

/* Returns whether an execution was redundant that cannot be. Once executions were abandoned, what was to be explored
 * behind them may be come upon in other ways. */
static bool is_wrong(const mz_engine *engine, const struct mz_search_counts *counts)
{
	return counts->redundant && engine->never_redundant && !engine->tries_locks && !counts->dropped &&
	       !engine->given_before;
}

/* Goes on within a larger bound, if executions were refused within this one. Returns whether there is one. */
static bool raise_bound(mz_engine *engine, const struct mz_search_counts *counts)
{
	if (!engine->iterates || !counts->refused || engine->bound >= engine->last_bound) return false;
	engine->ran_before += counts->executions + counts->redundant;
	engine->given_before += counts->dropped;
	return mz_search_raise(engine->search, ++engine->bound) && mz_search_next(engine->search, &engine->known);
}

static int next(mz_engine *engine)
{
	if (engine->failed) return 0;
	if (engine->state != STATE_OVER) return mz_host_fail(engine, "mz_engine_next: the execution is not over"), 0;
	if (engine->abandoned && engine->repeats) return repeat(engine);
	if (!engine->full && !guess_waiting(engine)) return 0;
	if (!engine->full) end_execution(engine);
	bool more = !engine->full && mz_search_next(engine->search, &engine->known);
	if (!is_full(engine) && mz_search_failed(engine->search)) return mz_host_no_memory(engine), 0;
	struct mz_search_counts counts = mz_search_counts(engine->search);
	uint64_t ran = engine->ran_before + counts.executions + counts.redundant;
	if (is_wrong(engine, &counts)) {
		mz_host_fail(engine,
		             "execution %llu came to where everything was explored before: what threads can do "
		             "depends on something that was not reported",
		             (unsigned long long)ran);
		return 0;
	}
	if (!more && !engine->full) more = raise_bound(engine, &counts);
	if (mz_search_failed(engine->search) && !is_full(engine)) return mz_host_no_memory(engine), 0;
	engine->enough = more && engine->max_executions && ran >= engine->max_executions;
	engine->state = more && !engine->enough ? STATE_READY : STATE_FINISHED;
	bool whole = !engine->limited && !engine->samples && !engine->full && !engine->may_miss;
	engine->complete = !more && whole && !counts.dropped && !engine->given_before;
	return engine->state == STATE_READY;
}

MZ_API int mz_engine_next(mz_engine *engine)
{
	return engine ? mz_host_enter(engine, next, 0) : 0;
}
