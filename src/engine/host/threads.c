/* SPDX-License-Identifier: MIT
 *
 * Threads of a host, and what is known of why they cannot go on:
 *   - mz_engine_block() with a lock: the next step gets the lock and does nothing else (BLOCKED, and nothing is guessed);
 *   - mz_engine_block() without: nothing is known (WAITING);
 *   - mz_engine_wait(): the next step gets something, and may do more. The engine looks after every step whether it is
 *     there to be had. A thread that joins another one waits for an order edge: it is ABSENT until the other one ends;
 *   - a lock that was tried in vain (tries_locks): ABSENT, until a step of another thread lets it try again.
 * Every change of what a thread is about to do is made by set_pending().
 */
#include "base/array.h"
#include "base/hash.h"
#include "engine/host/host.h"

static bool is_in_step(const mz_engine *engine)
{
	return engine->step.thread != MZ_NO_THREAD;
}

static bool add_thread(mz_engine *engine)
{
	size_t n = engine->nthreads;
	bool full = n == engine->threads_capacity;
	if (!mz_array_reserve(&engine->threads, &engine->threads_capacity, n + 1)) return false;
	if (!mz_array_reserve(&engine->pending, &engine->pending_capacity, n + 1)) return false;
	for (uint32_t t = 0; t < n && full; t++) /* the threads may have moved, and what they want with them */
		if (engine->pending[t].naccesses) engine->pending[t].accesses = &engine->threads[t].wanted;
	engine->threads[n] = (struct mz_host_thread){.waker = MZ_NO_STEP, .joined = MZ_NO_THREAD};
	engine->pending[n] = (struct mz_pending){.status = MZ_THREAD_ABSENT, .op = MZ_OP_ACCESS, .alternatives = 1};
	engine->nthreads++;
	return true;
}

bool mz_host_add_threads(mz_engine *engine, size_t count)
{
	while (engine->nthreads < count)
		if (!add_thread(engine)) return false;
	return true;
}

/* Sets what a thread is about to do, and keeps `could` up to date. */
static void set_pending(mz_engine *engine, uint32_t thread, struct mz_pending pending)
{
	bool could = engine->pending[thread].status == MZ_THREAD_ENABLED, can = pending.status == MZ_THREAD_ENABLED;
	engine->pending[thread] = pending;
	engine->threads[thread].changed = is_in_step(engine) ? engine->nsteps + 1 : 0;
	if (could == can) return;
	engine->could += can ? mz_mix(thread + 1ULL) : -mz_mix(thread + 1ULL);
	engine->ncould += can ? 1 : UINT32_MAX;
}

static void set_status(mz_engine *engine, uint32_t thread, enum mz_thread_status status)
{
	set_pending(engine, thread,
	            (struct mz_pending){.status = (uint8_t)status,
	                                .op = MZ_OP_ACCESS,
	                                .alternatives = 1,
	                                .since = engine->nsteps + is_in_step(engine)});
}

/* Sets that the thread is about to get what it wants, if it can. */
static void set_wanting(mz_engine *engine, uint32_t thread, enum mz_op op, bool can, bool partial)
{
	struct mz_pending pending = {.status = can ? MZ_THREAD_ENABLED : MZ_THREAD_BLOCKED,
	                             .op = (uint16_t)op,
	                             .naccesses = 1,
	                             .alternatives = 1,
	                             .partial = partial,
	                             .accesses = &engine->threads[thread].wanted};
	set_pending(engine, thread, pending);
}

static bool is_announced(const struct mz_host_thread *thread)
{
	return thread->announced || thread->joined != MZ_NO_THREAD;
}

/* Forgets what was said about what the thread waits for. */
static void forget_wait(mz_engine *engine, uint32_t thread)
{
	struct mz_host_thread *waiter = &engine->threads[thread];
	engine->nannounced -= is_announced(waiter);
	waiter->announced = waiter->alone = false;
	waiter->joined = MZ_NO_THREAD;
}

static void give_birth(mz_engine *engine, uint32_t thread)
{
	engine->threads[thread] = (struct mz_host_thread){.born = true, .waker = MZ_NO_STEP, .joined = MZ_NO_THREAD};
	set_status(engine, thread, MZ_THREAD_ENABLED);
}

void mz_host_reset_threads(mz_engine *engine)
{
	engine->nannounced = 0;
	for (uint32_t t = 0; t < engine->nthreads; t++) {
		engine->threads[t].born = engine->threads[t].announced = false;
		engine->threads[t].joined = MZ_NO_THREAD;
		set_status(engine, t, MZ_THREAD_ABSENT);
		if (t < engine->first_threads) give_birth(engine, t);
	}
}

void mz_host_forget_changes(mz_engine *engine)
{
	for (uint32_t t = 0; t < engine->nthreads && is_in_step(engine); t++)
		if (engine->threads[t].changed == engine->nsteps + 1) set_status(engine, t, MZ_THREAD_ABSENT);
}

/* ---- spawning and joining ---- */

int mz_host_spawn(mz_engine *engine, uint32_t thread, uint64_t child)
{
	if (child >= MZ_HOST_THREADS_MAX)
		return mz_host_fail(engine, "thread %llu is too large a number", (unsigned long long)child);
	if (!mz_host_add_threads(engine, child + 1)) return mz_host_no_memory(engine);
	if (engine->threads[child].born)
		return mz_host_fail(engine, "thread %llu is there already", (unsigned long long)child);
	give_birth(engine, (uint32_t)child);
	engine->step.links = true;
	mz_host_step_note(engine, 2000, child);
	return mz_host_add_edge(engine, thread, (uint32_t)child);
}

static int check_child(mz_engine *engine, uint32_t thread, uint64_t child)
{
	if (child < engine->nthreads && child != thread && engine->threads[child].born) return 0;
	return mz_host_fail(engine, "there is no thread %llu to join", (unsigned long long)child);
}

int mz_host_join(mz_engine *engine, uint32_t thread, uint64_t child)
{
	if (check_child(engine, thread, child) != 0) return -1;
	if (!engine->threads[child].finished)
		return mz_host_fail(engine, "thread %llu is not finished: it cannot be joined",
		                    (unsigned long long)child);
	engine->step.links = true;
	mz_host_step_note(engine, 2001, child);
	return mz_host_add_edge(engine, (uint32_t)child, thread);
}

/* ---- waiting ---- */

static int wait_for_end(mz_engine *engine, uint32_t thread, uint64_t child)
{
	if (check_child(engine, thread, child) != 0) return -1;
	if (engine->threads[child].finished) return 0;
	engine->threads[thread].joined = (uint32_t)child;
	engine->nannounced++;
	set_status(engine, thread, MZ_THREAD_ABSENT);
	return 0;
}

/* Sets whether a thread that has announced what it wants can get it. */
static void look_again(mz_engine *engine, uint32_t thread)
{
	const struct mz_pending *pending = &engine->pending[thread];
	const struct mz_host_thread *waiter = &engine->threads[thread];
	enum mz_op op = (enum mz_op)pending->op;
	bool can = mz_host_passes(engine, op, waiter->wanted_object);
	if (can != (pending->status == MZ_THREAD_ENABLED)) set_wanting(engine, thread, op, can, true);
}

MZ_API int mz_engine_wait(mz_engine *engine, uint32_t thread, mz_engine_sync_kind kind, uint64_t id)
{
	enum mz_op op = MZ_OP_ACCESS;
	if (!mz_host_check_thread(engine, thread, "mz_engine_wait")) return -1;
	struct mz_host_thread *waiter = &engine->threads[thread];
	if (waiter->finished) return mz_host_fail(engine, "mz_engine_wait: thread %u is finished", thread);
	forget_wait(engine, thread);
	if (kind == MZ_ENGINE_JOIN) return wait_for_end(engine, thread, id);
	if (kind == MZ_ENGINE_ACQUIRE && engine->tries_locks)
		return mz_host_fail(engine,
		                    "mz_engine_wait: threads try locks (tries_locks), and do not wait for them");
	if (!mz_host_describe_wait(engine, kind, id, &op, waiter)) return -1;
	waiter->announced = true;
	engine->nannounced++;
	set_wanting(engine, thread, op, mz_host_passes(engine, op, waiter->wanted_object), true);
	return 0;
}

static int block_without_lock(mz_engine *engine, uint32_t thread)
{
	if (engine->pending[thread].status == MZ_THREAD_WAITING) return 0;
	forget_wait(engine, thread);
	set_status(engine, thread, MZ_THREAD_WAITING);
	return 0;
}

/* Blocks a thread that has just tried to get a lock: it waits until a step of another thread lets it try again. */
static int block_after_attempt(mz_engine *engine, uint32_t thread, uint64_t lock)
{
	if (engine->step.thread != thread)
		return mz_host_fail(engine, "thread %u does not wait for a lock in its own step", thread);
	if (mz_host_try_in_vain(engine, lock) != 0) return -1;
	set_status(engine, thread, MZ_THREAD_ABSENT);
	return 0;
}

MZ_API int mz_engine_block(mz_engine *engine, uint32_t thread, uint64_t lock)
{
	enum mz_op op = MZ_OP_ACCESS;
	if (!mz_host_check_thread(engine, thread, "mz_engine_block")) return -1;
	struct mz_host_thread *waiter = &engine->threads[thread];
	uint8_t status = engine->pending[thread].status;
	if (waiter->finished) return mz_host_fail(engine, "mz_engine_block: thread %u is finished", thread);
	if (lock == MZ_ENGINE_NO_LOCK) return block_without_lock(engine, thread);
	if (engine->tries_locks) return status == MZ_THREAD_ABSENT ? 0 : block_after_attempt(engine, thread, lock);
	forget_wait(engine, thread);
	if (!mz_host_describe_wait(engine, MZ_ENGINE_ACQUIRE, lock, &op, waiter)) return -1;
	waiter->alone = true;
	set_wanting(engine, thread, op, false, false);
	return 0;
}

/* Notes that the step under way lets a thread go on that waited for something unknown. */
static void note_wakeup(mz_engine *engine, uint32_t thread, uint32_t since)
{
	engine->threads[thread].since = since;
	bool other = engine->step.thread != thread && is_in_step(engine);
	engine->threads[thread].waker = other ? engine->nsteps : MZ_NO_STEP;
}

MZ_API int mz_engine_unblock(mz_engine *engine, uint32_t thread)
{
	if (!mz_host_check_thread(engine, thread, "mz_engine_unblock")) return -1;
	struct mz_host_thread *waiter = &engine->threads[thread];
	const struct mz_pending was = engine->pending[thread];
	if (waiter->finished || was.status == MZ_THREAD_ENABLED) return 0;
	bool alone = waiter->alone;
	forget_wait(engine, thread);
	waiter->alone = alone;
	set_status(engine, thread, MZ_THREAD_ENABLED);
	if (was.status == MZ_THREAD_WAITING) note_wakeup(engine, thread, was.since);
	if (was.status != MZ_THREAD_ABSENT || !is_in_step(engine)) return 0;
	return mz_host_add_edge(engine, engine->step.thread, thread);
}

/* Lets the threads go on that waited for the end of a thread. */
static int wake_joiners(mz_engine *engine, uint32_t child)
{
	for (uint32_t t = 0; t < engine->nthreads && engine->nannounced; t++) {
		if (engine->threads[t].joined != child) continue;
		forget_wait(engine, t);
		set_status(engine, t, MZ_THREAD_ENABLED);
		if (mz_host_add_edge(engine, child, t) != 0) return -1;
	}
	return 0;
}

MZ_API int mz_engine_finish_thread(mz_engine *engine, uint32_t thread)
{
	if (!mz_host_check_thread(engine, thread, "mz_engine_finish_thread")) return -1;
	if (engine->threads[thread].finished) return 0;
	forget_wait(engine, thread);
	engine->threads[thread].finished = true;
	set_status(engine, thread, MZ_THREAD_ABSENT);
	return wake_joiners(engine, thread);
}

/* ---- after a step, and before ---- */

void mz_host_look_at_threads(mz_engine *engine)
{
	for (uint32_t t = 0; t < engine->nthreads && engine->nannounced; t++)
		if (engine->threads[t].announced) look_again(engine, t);
}

bool mz_host_take_turn(mz_engine *engine, uint32_t thread)
{
	bool alone = engine->threads[thread].alone;
	forget_wait(engine, thread);
	if (engine->pending[thread].naccesses) set_status(engine, thread, MZ_THREAD_ENABLED);
	return alone;
}
