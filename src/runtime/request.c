/* SPDX-License-Identifier: MIT
 *
 * Where executions are explored, who awaits is enabled by the first change and stays so, as the engine expects. Where
 * states are (mz_rt.pauses), it depends on the state alone: the thread can go on while there is something for it.
 */
#include "runtime/request.h"
#include "runtime/image.h"
#include "runtime/imports.h"
#include "runtime/leaving.h"
#include "runtime/race.h"
#include "runtime/spin.h"
#include "runtime/thread.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CANCEL 1 /* signals have the bits of their numbers */

static struct mz_object *requests_of(const struct mz_fiber *fiber)
{
	struct mz_object *object = mz_object_find((uintptr_t)fiber + 1); /* nothing else has this address */
	object->type = MZ_OBJECT_THREAD;
	return object;
}

/* ---- who hears what ---- */

static bool cancels(const char *module, const char *symbol)
{
	return strcmp(symbol, "pthread_cancel") == 0 && mz_image_rolls_back(module);
}

bool mz_request_cancels(void)
{
	static int possible = -1;
	if (MZ_UNLIKELY(possible < 0)) possible = mz_imports_any(cancels);
	return possible;
}

static bool is_cancellable(const struct mz_fiber *fiber)
{
	return mz_request_cancels() && !fiber->leaving && fiber->cancel_state == PTHREAD_CANCEL_ENABLE;
}

/* The requests that it is ready for, at a cancellation point. */
static uint64_t ready(const struct mz_fiber *fiber)
{
	return is_cancellable(fiber) ? CANCEL : 0;
}

bool mz_request_hears(const struct mz_fiber *self)
{
	return ready(self) != 0;
}

uint64_t mz_request_identity(const struct mz_fiber *fiber)
{
	return (uint64_t)fiber->cancel_state | (uint64_t)fiber->cancel_type << 8 | (uint64_t)fiber->leaving << 16;
}

/* ---- asking ---- */

static void ask(struct mz_fiber *self, struct mz_fiber *other, enum mz_op op, uint64_t bit, uintptr_t caller)
{
	struct mz_object *requests = requests_of(other);
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_WRITE, .expected = bit};
	mz_visible(self, op, 1, 1, caller);
	bool news = !(requests->state & bit);
	access->before = requests->state;
	access->kind = news ? MZ_WRITE : MZ_READ;
	mz_commit(self, op, 1, 1);
	if (!news) return;
	requests->state |= bit;
	requests->wakes++;
	if (other->hears && mz_request_enabled(other, mz_rt.pending[other->index].status == MZ_THREAD_ENABLED))
		mz_set_enabled(other, true);
}

/* Whether the thread must know that the other one is gone. */
static bool is_gone(const struct mz_fiber *self, const struct mz_fiber *other)
{
	if (!other->joined || other->joiner == self) return other->joined;
	return mz_rt.races && mz_race_knows(self, &mz_leaving_object(other)->clock);
}

int mz_request_cancel(struct mz_fiber *self, unsigned long handle, uintptr_t caller)
{
	struct mz_fiber *other = mz_thread_from(handle);
	if (!other || is_gone(self, other)) {
		struct mz_report report = {.kind = MZ_FINDING_MISUSE, .place = {self, caller, NULL}};
		mz_report(&report, "cancellation of %s", other ? "a thread that was joined" : "what is no thread");
		return ESRCH;
	}
	ask(self, other, MZ_OP_CANCEL, CANCEL, caller);
	return 0;
}

/* ---- hearing ---- */

static struct mz_access hearing(const struct mz_object *requests, uint64_t wanted)
{
	return (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_WRITE, .expected = wanted};
}

/* The thread has been chosen to hear: ends the operation and acts upon what there is. */
static void hear(struct mz_fiber *self, struct mz_object *requests, uint64_t wanted, uint16_t naccesses)
{
	uint64_t taken = requests->state & wanted;
	self->accesses[0].before = requests->state;
	self->accesses[0].kind = taken ? MZ_WRITE : MZ_READ;
	mz_commit(self, MZ_OP_TEST_CANCEL, naccesses, 1);
	requests->state &= ~taken;
	self->heard = requests->wakes;
	if (taken & CANCEL) mz_leaving_unwind(self, PTHREAD_CANCELED);
}

void mz_request_point(struct mz_fiber *self, uintptr_t caller)
{
	uint64_t wanted = ready(self);
	if (!wanted) return;
	struct mz_object *requests = requests_of(self);
	mz_accesses(self)[0] = hearing(requests, wanted);
	mz_visible(self, MZ_OP_TEST_CANCEL, 1, 1, caller);
	hear(self, requests, wanted, 1);
}

void mz_request_poll(struct mz_fiber *self, uintptr_t caller)
{
	uint64_t wanted = ready(self);
	if (!wanted) return;
	struct mz_object *requests = requests_of(self);
	mz_accesses(self)[0] = hearing(requests, wanted);
	mz_spin_visible(self, MZ_OP_TEST_CANCEL, 1, wanted, caller);
	hear(self, requests, wanted, 1);
}

/* As POSIX has it, but for those that need not be: of these, streams among them, none is. */
bool mz_request_is_point(const char *name)
{
	static const char names[] = " accept accept4 close connect epoll_pwait epoll_wait fdatasync fsync lockf "
	                            "mq_receive mq_send mq_timedreceive msgrcv msgsnd msync poll ppoll pread pread64 "
	                            "preadv preadv64 pselect read readv recv recvfrom recvmsg select sendmsg sendto "
	                            "system wait waitid waitpid ";
	char word[32];
	return snprintf(word, sizeof word, " %s ", name) < (int)sizeof word && strstr(names, word);
}

/* ---- waiting ---- */

bool mz_request_enabled(const struct mz_fiber *fiber, bool passes)
{
	if (!mz_rt.pauses) return true;
	return passes || (requests_of(fiber)->state & fiber->hears);
}

/* Something was asked since the thread last heard; or is still to be heard. */
static bool is_asked(const struct mz_fiber *self)
{
	const struct mz_object *requests = requests_of(self);
	return mz_rt.pauses ? requests->state & self->hears : requests->wakes != self->heard;
}

/* Waits with its first two accesses, one of which is its requests. */
static void await(struct mz_fiber *self, enum mz_op op, uint64_t wanted, bool passes, uintptr_t caller)
{
	self->hears = wanted;
	mz_visible_if(self, op, 2, passes || is_asked(self), caller);
	self->hears = 0;
}

void mz_request_await(struct mz_fiber *self, struct mz_object *object, enum mz_op op, uintptr_t caller)
{
	uint64_t wanted = ready(self);
	struct mz_object *requests = requests_of(self);
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = hearing(requests, wanted);
	accesses[0].age = 2;
	accesses[1] =
	    (struct mz_access){.object = object->address, .mask = 0xff, .kind = MZ_READ, .only_waited = true, .age = 1};
	self->tries = (uint16_t)op;
	self->call.phase = 0; /* it is where it was when it came this way before */
	mz_object_enqueue(object, self);
	await(self, MZ_OP_TEST_CANCEL, wanted, false, caller);
	mz_object_dequeue(object, self);
	accesses[1].before = mz_model_state(object->address);
	hear(self, requests, wanted, 2);
}

bool mz_request_leave(struct mz_fiber *self, struct mz_object *condition, uintptr_t caller)
{
	uint64_t wanted = ready(self);
	struct mz_object *requests = requests_of(self);
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = (struct mz_access){
	    .object = requests->address, .mask = 0xff, .kind = MZ_READ, .only_waited = true, .age = 2};
	accesses[1] =
	    (struct mz_access){.object = condition->address, .mask = 0xff, .kind = MZ_WRITE, .effect = -1, .age = 1};
	await(self, MZ_OP_END_WAIT, wanted, false, caller);
	bool woken = self->waits_for != condition;
	accesses[0].before = requests->state;
	accesses[1].before = condition->queued;
	if (woken) accesses[1].effect = 0;
	mz_commit(self, MZ_OP_END_WAIT, 2, 1);
	if (!woken) mz_object_dequeue(condition, self);
	return !woken;
}

bool mz_request_await_end(struct mz_fiber *self, struct mz_object *end, uintptr_t caller)
{
	uint64_t wanted = ready(self);
	struct mz_object *requests = requests_of(self);
	struct mz_access *accesses = mz_accesses(self);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_READ, .age = 1};
	accesses[1] = (struct mz_access){.object = end->address, .mask = 0xff, .kind = MZ_READ, .age = MZ_AGE_EVER};
	self->tries = MZ_OP_JOIN;
	self->call.phase = 0;
	mz_object_enqueue(end, self);
	await(self, MZ_OP_JOIN, wanted, end->state != 0, caller);
	mz_object_dequeue(end, self);
	accesses[0].before = requests->state;
	accesses[1].before = end->state;
	mz_commit(self, MZ_OP_JOIN, 2, 1);
	return end->state != 0;
}
