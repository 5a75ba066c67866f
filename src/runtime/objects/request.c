/* SPDX-License-Identifier: MIT */
#include "runtime/objects/request.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/pending.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct mz_object *mz_requests_of(const struct mz_fiber *fiber)
{
	struct mz_object *object = mz_object_find(mz_object_inside(fiber, MZ_INSIDE_THREAD_REQUESTS));
	object->type = MZ_OBJECT_THREAD;
	return object;
}

uint64_t mz_request_count_of(const struct mz_fiber *fiber)
{
	return mz_object_inside(fiber, MZ_INSIDE_THREAD_COUNT);
}

struct mz_object *mz_requests_of_process(void)
{
	struct mz_object *object = mz_object_find(mz_object_inside(mz_rt.fibers, MZ_INSIDE_PROCESS_REQUESTS));
	object->type = MZ_OBJECT_THREAD;
	return object;
}

uint64_t mz_request_count_of_process(void)
{
	return mz_object_inside(mz_rt.fibers, MZ_INSIDE_PROCESS_COUNT);
}

/* ---- who hears what ---- */

static bool is_pthread_cancel(const char *module, const char *symbol)
{
	(void)module;
	return strcmp(symbol, "pthread_cancel") == 0;
}

static bool is_cancellable(const struct mz_fiber *fiber)
{
	return mz_rt.mode.checks_cancellation && !fiber->leaving &&
	       fiber->requests.cancel_state == PTHREAD_CANCEL_ENABLE;
}

uint64_t mz_request_ready(const struct mz_fiber *fiber)
{
	return (is_cancellable(fiber) ? MZ_REQUEST_CANCEL : 0) | mz_signals_deliverable(fiber);
}

bool mz_request_may_arrive(const struct mz_fiber *self)
{
	return mz_request_ready(self) != 0;
}

uint64_t mz_request_identity(const struct mz_fiber *fiber)
{
	uint64_t cancel =
	    fiber->requests.cancel_state | (uint64_t)fiber->requests.cancel_type << 1 | (uint64_t)fiber->leaving << 2;
	uint64_t hash = mz_hash2(cancel, fiber->requests.blocked);
	const struct mz_signal_info *taken = &fiber->requests.taken;
	if (!taken->number) return hash;
	uint64_t number = (uint32_t)taken->number | (uint64_t)(uint32_t)taken->code << 32;
	uint64_t timer = (uint32_t)taken->timer | (uint64_t)(uint32_t)taken->overrun << 32;
	return mz_hash2(mz_hash2(hash, number), mz_hash2(mz_hash2(taken->value, timer), fiber->requests.found_too));
}

bool mz_request_any(const struct mz_fiber *self, uint64_t signals)
{
	uint64_t shared = signals & mz_rt.mode.process_signals;
	return (mz_requests_of(self)->state & signals) || (shared && (mz_requests_of_process()->state & shared));
}

/* ---- what is expected ---- */

void mz_request_reset(void)
{
	const struct mz_session_requests *requests = &mz_rt.session->learned.requests;
	mz_rt.mode.checks_cancellation = requests->kinds & MZ_REQUESTS_CANCEL;
	mz_rt.mode.checks_signals = requests->kinds & MZ_REQUESTS_SIGNAL;
	mz_rt.mode.exits_are_steps = requests->kinds & MZ_REQUESTS_EXIT;
	mz_rt.mode.discards_ignored = requests->kinds & MZ_REQUESTS_IGNORED;
	mz_rt.mode.handlers_are_shared = requests->kinds & MZ_REQUESTS_HANDLERS;
	mz_rt.mode.process_signals = requests->process_signals;
}

/* A search of states cannot start over by itself, because its workers share what they know: the process ends, and the
 * supervisor starts it over. A trace that was recorded without such requests ends before the first. */
static void expect(uint32_t kind, uint64_t signals)
{
	struct mz_session *session = mz_rt.session;
	struct mz_session_requests *known = &session->learned.requests;
	bool expected = (known->kinds & kind) && !(signals & ~known->process_signals);
	if (expected || mz_rt.invariants.evaluating) return;
	if (mz_rt.mode.replaying) mz_end_execution(MZ_END_STOPPED);
	known->kinds |= kind;
	known->process_signals |= signals;
	if (mz_rt.mode.searches_states || mz_rt.mode.follows_schedule) {
		session->outcome = MZ_OUTCOME_AGAIN;
		MZ_REAL(_exit)(0);
	}
	mz_restart_search();
}

void mz_request_expect(uint32_t kind)
{
	expect(kind, 0);
}

void mz_request_expect_of_process(uint64_t signals)
{
	expect(MZ_REQUESTS_SIGNAL, signals);
}

/* ---- requests that are written without a request more ---- */

static void refresh_waiting(struct mz_fiber *fiber)
{
	bool enabled = mz_rt.execution.pending[fiber->index].status == MZ_THREAD_ENABLED;
	bool passes = fiber->requests.passes || fiber->requests.op_awaited == MZ_OP_POLL;
	if (fiber->state != MZ_FIBER_PENDING || !fiber->requests.awaited) return;
	if (fiber->requests.op_awaited == MZ_OP_PASS && !mz_rt.mode.searches_states) return; /* it awaits the count */
	mz_set_enabled(fiber, mz_rt.way->may_go_on(fiber, enabled && passes));
}

/* The requests to the thread (NULL: to the process) were written. Any write counts for those who await one. */
static void written(struct mz_fiber *fiber)
{
	struct mz_object *requests = fiber ? mz_requests_of(fiber) : mz_requests_of_process();
	requests->users++;
	if (fiber)
		refresh_waiting(fiber);
	else
		mz_request_process_changed(false);
}

/* ---- asking ---- */

/* Raises the bit of a request by one operation, whose accesses are to `requests` and to the `count` of the
 * requests made. The count goes up with it, which changes nothing for other operations. In a section that looks whether
 * a signal is ignored it is a write in any case. Reports whether there is a request more. */
static bool raise_bit(struct mz_fiber *self, struct mz_object *requests, uint64_t count, enum mz_op op, uint64_t bit,
                      uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_WRITE, .expected = bit};
	accesses[1] = (struct mz_access){.object = count, .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_operation operation = mz_operation(op, 2);
	mz_visible(self, operation, caller);
	bool news = op == MZ_OP_QUEUE || !(requests->state & bit);
	accesses[0].before = requests->state;
	accesses[1].before = requests->wakes;
	bool writes = news || (mz_rt.mode.discards_ignored && op != MZ_OP_CANCEL);
	accesses[0].kind = accesses[1].kind = writes ? MZ_WRITE : MZ_READ;
	accesses[1].effect = news;
	mz_commit(self, operation);
	if (!news) return false;
	requests->state |= bit;
	requests->wakes++;
	return true;
}

static bool raise_request(struct mz_fiber *self, struct mz_fiber *other, enum mz_op op, uint64_t bit, uintptr_t caller)
{
	if (!raise_bit(self, mz_requests_of(other), mz_request_count_of(other), op, bit, caller)) {
		if (mz_rt.mode.discards_ignored && op != MZ_OP_CANCEL) written(other);
		return false;
	}
	if (other->requests.awaited &&
	    mz_rt.way->may_go_on(other, mz_rt.execution.pending[other->index].status == MZ_THREAD_ENABLED))
		mz_set_enabled(other, true);
	return true;
}

/* Returns the operation that sends a signal. One that queues is pending once more, whether its bit was set or not. */
static enum mz_op op_of_signal(int number)
{
	return mz_signals_queues(number) ? MZ_OP_QUEUE : MZ_OP_KILL;
}

/* Reports whether `other` has been joined and SELF can know that: SELF joined it, or the join happened before. */
static bool is_known_to_be_joined(const struct mz_fiber *self, const struct mz_fiber *other)
{
	if (!other->joined || other->joiner == self) return other->joined;
	return mz_rt.mode.finds_races && !mz_rt.mode.notes_races &&
	       mz_race_knows(self, &mz_object_of_end(other)->clock);
}

/* Returns the thread of a handle that a request is made of; NULL, after a report, if the handle is not to be used. */
static struct mz_fiber *find_thread(struct mz_fiber *self, unsigned long handle, const char *request, uintptr_t caller)
{
	struct mz_fiber *other = mz_thread_from(handle);
	if (other && !is_known_to_be_joined(self, other)) return other;
	struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}};
	mz_report(&report, "%s %s", request, other ? "a thread that was joined" : "what is no thread");
	return NULL;
}

bool mz_request_is_alone(const struct mz_fiber *self)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		const struct mz_fiber *other = &mz_rt.fibers[t];
		if (other == self || other->state == MZ_FIBER_UNUSED) continue;
		if (!is_known_to_be_joined(self, other)) return false;
	}
	return true;
}

int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller)
{
	static int seen = -1;
	if (seen < 0) seen = mz_imports_any_instrumented(is_pthread_cancel);
	if (!seen) mz_unsupported("a library cancels threads that was not built with mazurka cc: build it so");
	mz_request_expect(MZ_REQUESTS_CANCEL);
	struct mz_fiber *other = find_thread(self, handle, "cancellation of", caller);
	if (!other) return ESRCH;
	raise_request(self, other, MZ_OP_CANCEL, MZ_REQUEST_CANCEL, caller);
	return 0;
}

int mz_request_signal(struct mz_fiber *self, unsigned long handle, const struct mz_signal_info *info, uintptr_t caller)
{
	struct mz_fiber *other = find_thread(self, handle, "signal to", caller);
	if (!other || !info->number) return other ? 0 : ESRCH;
	enum mz_op op = op_of_signal(info->number);
	if (raise_request(self, other, op, mz_signals_bit(info->number), caller)) mz_pending_add(other->index, info);
	return 0;
}

/* ---- the process ---- */

/* Where executions are explored a thread is enabled by any write to what it awaits, even one that takes a signal away;
 * but what passes a barrier awaits the count of signals, which only grows. Where states are searched, the thread may have
 * been enabled by the signal that is gone. */
void mz_request_process_changed(bool is_more)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
		struct mz_fiber *fiber = &mz_rt.fibers[t];
		if (fiber->state != MZ_FIBER_PENDING || !(fiber->requests.awaited & mz_rt.mode.process_signals))
			continue;
		bool enabled = mz_rt.execution.pending[t].status == MZ_THREAD_ENABLED;
		bool passes = fiber->requests.passes || fiber->requests.op_awaited == MZ_OP_POLL;
		if (fiber->requests.op_awaited == MZ_OP_PASS && !is_more && !mz_rt.mode.searches_states) continue;
		mz_set_enabled(fiber, mz_rt.way->may_go_on(fiber, enabled && passes));
	}
}

bool mz_request_process_is_news(const struct mz_fiber *self)
{
	if (!(self->requests.awaited & mz_rt.mode.process_signals)) return false;
	const struct mz_object *process = mz_requests_of_process();
	if (self->requests.op_awaited == MZ_OP_PASS) return process->wakes != self->requests.process_count_seen;
	return mz_request_changes(process) != self->requests.process_changes_seen;
}

void mz_request_signal_process(struct mz_fiber *self, const struct mz_signal_info *info, uintptr_t caller)
{
	uint64_t bit = mz_signals_bit(info->number);
	enum mz_op op = op_of_signal(info->number);
	if (!raise_bit(self, mz_requests_of_process(), mz_request_count_of_process(), op, bit, caller)) {
		if (mz_rt.mode.discards_ignored) written(NULL);
		return;
	}
	mz_pending_add(MZ_PENDING_PROCESS, info);
	mz_request_process_changed(true);
}

/* ---- signals that are ignored ---- */

static void touch(struct mz_fiber *self, const struct mz_fiber *fiber, uintptr_t caller)
{
	const struct mz_object *requests = fiber ? mz_requests_of(fiber) : mz_requests_of_process();
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_WRITE};
	accesses[1] = (struct mz_access){.mask = 0xff, .kind = MZ_WRITE};
	accesses[1].object = fiber ? mz_request_count_of(fiber) : mz_request_count_of_process();
	const struct mz_operation operation = mz_operation(MZ_OP_UPDATE, 2);
	mz_visible(self, operation, caller);
	accesses[0].before = requests->state;
	accesses[1].before = requests->wakes;
	mz_commit(self, operation);
}

void mz_request_touch(struct mz_fiber *self, struct mz_fiber *fiber, uintptr_t caller)
{
	touch(self, fiber, caller);
	written(fiber);
}

static void discard(struct mz_fiber *self, struct mz_fiber *fiber, int number, uintptr_t caller)
{
	struct mz_object *requests = fiber ? mz_requests_of(fiber) : mz_requests_of_process();
	touch(self, fiber, caller);
	requests->state &= ~mz_signals_bit(number);
	mz_pending_drop(fiber ? fiber->index : MZ_PENDING_PROCESS, number);
	written(fiber);
}

void mz_request_discard(struct mz_fiber *self, int number, uintptr_t caller)
{
	for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++)
		if (mz_rt.fibers[t].state != MZ_FIBER_UNUSED) discard(self, &mz_rt.fibers[t], number, caller);
	if (mz_rt.mode.process_signals) discard(self, NULL, number, caller);
}

uint64_t mz_request_pending(struct mz_fiber *self, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(self), *process = mz_requests_of_process();
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_READ};
	accesses[1] = (struct mz_access){.object = process->address, .mask = 0xff, .kind = MZ_READ};
	const struct mz_operation operation = mz_operation(MZ_OP_LOAD, mz_rt.mode.process_signals ? 2 : 1);
	mz_visible(self, operation, caller);
	accesses[0].before = requests->state;
	accesses[1].before = process->state;
	mz_commit(self, operation);
	return (requests->state | process->state) & ~MZ_REQUEST_CANCEL;
}
