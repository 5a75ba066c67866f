/* SPDX-License-Identifier: MIT */
#include "runtime/objects/request.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
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
	return mz_hash2(cancel, fiber->requests.blocked);
}

bool mz_request_any(const struct mz_fiber *self, uint64_t signals)
{
	return mz_requests_of(self)->state & signals;
}

/* ---- what is expected ---- */

void mz_request_reset(void)
{
	mz_rt.mode.checks_cancellation = mz_rt.session->learned.requests & MZ_REQUESTS_CANCEL;
	mz_rt.mode.checks_signals = mz_rt.session->learned.requests & MZ_REQUESTS_SIGNAL;
	mz_rt.mode.exits_are_steps = mz_rt.session->learned.requests & MZ_REQUESTS_EXIT;
}

/* A search of states cannot start over by itself, because its workers share what they know: the process ends, and the
 * supervisor starts it over. A trace that was recorded without such requests ends before the first. */
void mz_request_expect(uint32_t kind)
{
	struct mz_session *session = mz_rt.session;
	if ((session->learned.requests & kind) || mz_rt.invariants.evaluating) return;
	if (mz_rt.mode.replaying) mz_end_execution(MZ_END_STOPPED);
	session->learned.requests |= kind;
	if (mz_rt.mode.searches_states || mz_rt.mode.follows_schedule) {
		session->outcome = MZ_OUTCOME_AGAIN;
		MZ_REAL(_exit)(0);
	}
	mz_restart_search();
}

/* ---- asking ---- */

/* Raises the bit of a request by one operation. The count goes up with it, which changes nothing for other
 * operations. */
static void raise_request(struct mz_fiber *self, struct mz_fiber *other, enum mz_op op, uint64_t bit, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(other);
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_WRITE, .expected = bit};
	accesses[1] = (struct mz_access){.object = mz_request_count_of(other), .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_operation operation = mz_operation(op, 2);
	mz_visible(self, operation, caller);
	bool news = !(requests->state & bit);
	accesses[0].before = requests->state;
	accesses[1].before = requests->wakes;
	accesses[0].kind = accesses[1].kind = news ? MZ_WRITE : MZ_READ;
	accesses[1].effect = news;
	mz_commit(self, operation);
	if (!news) return;
	requests->state |= bit;
	requests->wakes++;
	if (other->requests.awaited &&
	    mz_rt.way->may_go_on(other, mz_rt.execution.pending[other->index].status == MZ_THREAD_ENABLED))
		mz_set_enabled(other, true);
}

/* Reports whether `other` has been joined and SELF can know that: SELF joined it, or the join happened before. */
static bool is_known_to_be_joined(const struct mz_fiber *self, const struct mz_fiber *other)
{
	if (!other->joined || other->joiner == self) return other->joined;
	return mz_rt.mode.finds_races && !mz_rt.mode.notes_races &&
	       mz_race_knows(self, &mz_object_of_end(other)->clock);
}

static int send_request(struct mz_fiber *self, unsigned long handle, enum mz_op op, uint64_t bit, uintptr_t caller)
{
	struct mz_fiber *other = mz_thread_from(handle);
	if (!other || is_known_to_be_joined(self, other)) {
		struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}};
		mz_report(&report, "%s %s", op == MZ_OP_CANCEL ? "cancellation of" : "signal to",
		          other ? "a thread that was joined" : "what is no thread");
		return ESRCH;
	}
	if (bit) raise_request(self, other, op, bit, caller);
	return 0;
}

int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller)
{
	static int seen = -1;
	if (seen < 0) seen = mz_imports_any_instrumented(is_pthread_cancel);
	if (!seen) mz_unsupported("a library cancels threads that was not built with mazurka cc: build it so");
	mz_request_expect(MZ_REQUESTS_CANCEL);
	return send_request(self, handle, MZ_OP_CANCEL, MZ_REQUEST_CANCEL, caller);
}

int mz_request_signal(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller)
{
	return send_request(self, handle, MZ_OP_KILL, number ? (uint64_t)1 << number : 0, caller);
}

uint64_t mz_request_pending(struct mz_fiber *self, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(self);
	mz_accesses(self)[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_READ};
	const struct mz_operation operation = mz_operation(MZ_OP_LOAD, 1);
	mz_visible(self, operation, caller);
	self->accesses[0].before = requests->state;
	mz_commit(self, operation);
	return requests->state & ~(uint64_t)MZ_REQUEST_CANCEL;
}
