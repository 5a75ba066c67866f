/* SPDX-License-Identifier: MIT
 *
 * The step under way. The host's reports add accesses and order edges to it; when the step ends it becomes one event.
 * Which operation the event is follows from the reports: what decides whether it could be made (a lock, a unit of a
 * semaphore, a flag) or what it did (an attempt) comes first; else it yields, if it says so or does nothing.
 */
#include "base/array.h"
#include "base/hash.h"
#include "engine/host/host.h"

void mz_host_step_start(mz_engine *engine, uint32_t thread)
{
	engine->step = (struct mz_host_step){.thread = thread, .op = MZ_OP_ACCESS};
	engine->naccesses = 0;
}

void mz_host_step_note(mz_engine *engine, uint64_t what, uint64_t which)
{
	engine->step.hash = mz_hash2(engine->step.hash + what, which);
}

int mz_host_add_edge(mz_engine *engine, uint32_t before, uint32_t after)
{
	if (!mz_array_reserve(&engine->edges, &engine->edges_capacity, engine->nedges + 1))
		return mz_host_no_memory(engine);
	engine->edges[engine->nedges++] = (struct mz_host_edge){before, after};
	return 0;
}

/* Adds an object that was touched to `everything`, because a thread that waits may be about to touch it too. */
static bool know_object(mz_engine *engine, uint64_t object)
{
	if (mz_table_find(&engine->known_objects, mz_mix(object))) return true;
	if (!mz_array_reserve(&engine->everything, &engine->everything_capacity, engine->neverything + 1) ||
	    !mz_table_add(&engine->known_objects, mz_mix(object), engine->neverything + 1))
		return !mz_host_no_memory(engine);
	engine->everything[engine->neverything++] =
	    (struct mz_access){.object = object, .mask = 0xff, .kind = MZ_WRITE, .only_waited = true};
	return true;
}

struct mz_access *mz_host_add_access(mz_engine *engine, struct mz_access access)
{
	if (!know_object(engine, access.object)) return NULL;
	if (engine->naccesses == UINT16_MAX) {
		mz_host_fail(engine, "a step touches more than %u objects", UINT16_MAX);
		return NULL;
	}
	if (!mz_array_reserve(&engine->accesses, &engine->accesses_capacity, engine->naccesses + 1)) {
		mz_host_no_memory(engine);
		return NULL;
	}
	engine->accesses[engine->naccesses] = access;
	return &engine->accesses[engine->naccesses++];
}

/* Adds an access that the host reports by the function of that name. */
static int report(mz_engine *engine, uint32_t thread, uint64_t object, mz_access_kind kind, const char *name)
{
	if (!mz_host_check_running(engine, thread, name)) return -1;
	if ((unsigned)kind > MZ_WEAK_WRITE) return mz_host_fail(engine, "%s: there is no kind %d", name, (int)kind);
	if (engine->step.closed)
		return mz_host_fail(engine, "%s: the step tries something, and can do nothing else", name);
	mz_host_step_note(engine, 1 + (uint64_t)kind, object);
	struct mz_access access = {.object = object, .mask = 0xff, .kind = (uint8_t)kind};
	return mz_host_add_access(engine, access) ? 0 : -1;
}

MZ_API int mz_engine_access(mz_engine *engine, uint32_t thread, uint64_t object, mz_access_kind kind)
{
	return report(engine, thread, object, kind, "mz_engine_access");
}

MZ_API int mz_engine_io(mz_engine *engine, uint32_t thread, uint64_t object, mz_access_kind kind)
{
	if (report(engine, thread, object, kind, "mz_engine_io") < 0) return -1;
	engine->accesses[engine->naccesses - 1].is_io = true;
	return 0;
}

MZ_API int mz_engine_yield(mz_engine *engine, uint32_t thread)
{
	if (!mz_host_check_running(engine, thread, "mz_engine_yield")) return -1;
	engine->step.yields = true;
	mz_host_step_note(engine, 3000, 0);
	return 0;
}

/* ---- the event ---- */

/* Returns whether an event is the same as `before`, what the thread did when the event came later. */
static bool is_same(const struct mz_event *event, const struct mz_event *before)
{
	bool same = event->op == before->op && event->naccesses == before->naccesses;
	for (unsigned n = 0; same && n < event->naccesses; n++) {
		const struct mz_access *a = &event->accesses[n], *b = &before->accesses[n];
		same = a->object == b->object && a->kind == b->kind;
	}
	return same;
}

/* Tells the search of order edges: those that lead to the thread of the step (`before`), or the others. */
static void tell_edges(mz_engine *engine, bool before)
{
	for (size_t n = 0; n < engine->nedges; n++) {
		const struct mz_host_edge *edge = &engine->edges[n];
		if ((edge->after == engine->step.thread) == before)
			mz_search_order(engine->search, edge->before, edge->after);
	}
}

/* Decides which operation the step is. */
static bool choose_operation(mz_engine *engine)
{
	struct mz_host_step *step = &engine->step;
	bool alone = engine->naccesses == 1 && !step->yields && !step->links;
	if (step->alone && step->waits && !alone)
		return !mz_host_fail(engine,
		                     "step %u does more than to get the lock that thread %u was blocked at: say what "
		                     "threads wait for with mz_engine_wait",
		                     engine->nsteps + 1, step->thread);
	if (step->yields && (step->waits || step->closed))
		return !mz_host_fail(engine, "step %u yields, and gets or tries something: these are two steps",
		                     engine->nsteps + 1);
	if (step->closed || step->waits) {
		for (size_t n = 1; n < engine->naccesses && step->op == MZ_OP_PASS; n++)
			engine->accesses[n].expected = UINT64_MAX; /* it does not wait for these */
	} else if (step->yields || (!engine->naccesses && !step->links)) {
		step->op = MZ_OP_YIELD;
	} else {
		step->op = step->clears ? MZ_OP_ANNOUNCE : step->releases && alone ? MZ_OP_UNLOCK : MZ_OP_ACCESS;
	}
	return true;
}

static void tell_event(mz_engine *engine)
{
	const struct mz_host_step *step = &engine->step;
	const struct mz_event event = {.thread = step->thread,
	                               .alternatives = 1,
	                               .op = (uint16_t)step->op,
	                               .naccesses = (uint16_t)engine->naccesses,
	                               .accesses = engine->accesses};
	const struct mz_event *demanded = mz_search_demanded(engine->search);
	if (demanded && !is_same(&event, demanded)) {
		mz_host_fail(engine,
		             "step %u, of thread %u, is not what it was when steps that it conflicts with came before",
		             engine->nsteps + 1, step->thread);
		return;
	}
	tell_edges(engine, true);
	const struct mz_host_thread *thread = &engine->threads[step->thread];
	if (thread->waker != MZ_NO_STEP) mz_search_note_waker(engine->search, thread->waker, thread->since, &event);
	mz_search_observe(engine->search, &event);
	tell_edges(engine, false);
}

void mz_host_step_end(mz_engine *engine)
{
	struct mz_host_step *step = &engine->step;
	if (step->thread == MZ_NO_THREAD || !choose_operation(engine)) return;
	struct mz_host_past *past = &engine->past[engine->nsteps];
	if (!mz_host_is_known(engine)) {
		tell_event(engine);
		past->did = step->hash;
	} else if (past->did != step->hash) {
		mz_host_fail(engine, "step %u of thread %u is not what it was under the same schedule before",
		             engine->nsteps + 1, step->thread);
	}
	engine->threads[step->thread].waker = MZ_NO_STEP;
	engine->nsteps++;
	engine->nedges = 0;
	mz_host_step_start(engine, MZ_NO_THREAD);
}
