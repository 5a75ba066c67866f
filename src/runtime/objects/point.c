/* SPDX-License-Identifier: MIT */
#include "runtime/objects/point.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/model.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- hearing ---- */

static struct mz_access access_to_requests(const struct mz_object *requests, uint64_t wanted)
{
	return (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_WRITE, .expected = wanted};
}

/* Returns the operation by which a thread checks for these requests. */
static enum mz_op op_of(uint64_t wanted)
{
	return wanted & MZ_REQUEST_CANCEL ? MZ_OP_TEST_CANCEL : MZ_OP_TAKE_SIGNAL;
}

/* Ends the operation by which SELF, which has been chosen, checks for requests. Returns the number of the signal
 * that it takes, 0 if there is none; does not return if SELF is cancelled. No other check is due before the next
 * operation. */
static int take_request(struct mz_fiber *self, struct mz_object *requests, uint64_t wanted,
                        struct mz_operation operation)
{
	uint64_t found = requests->state & wanted;
	self->accesses[0].before = requests->state;
	self->accesses[0].kind = found ? MZ_WRITE : MZ_READ;
	mz_commit(self, operation);
	requests->state &= ~(found & -found);
	self->requests.count_seen = requests->wakes;
	self->has_checked_requests = true;
	if (found & MZ_REQUEST_CANCEL) mz_leaving_unwind(self, PTHREAD_CANCELED);
	return found ? __builtin_ctzll(found) : 0;
}

/* Checks for requests by an operation, and returns as take_request(). If SELF `polls`, a loop around the call may be
 * recognised. */
static int check_requests(struct mz_fiber *self, uint64_t wanted, bool polls, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(self);
	mz_accesses_now(self)[0] = access_to_requests(requests, wanted);
	const struct mz_operation operation = mz_operation(op_of(wanted), 1);
	if (polls)
		mz_spin_visible(self, operation, wanted, caller);
	else
		mz_visible(self, operation, caller);
	return take_request(self, requests, wanted, operation);
}

static enum mz_interrupted stronger(enum mz_interrupted a, enum mz_interrupted b)
{
	return a > b ? a : b;
}

/* Handles the signal `number`, which SELF has taken, and then all others that are pending: of `signals`, or, if 0, of
 * what SELF is ready for by then. Afterwards SELF is in the call that it was in before. */
static enum mz_interrupted handle_all(struct mz_fiber *self, int number, uint64_t signals, uintptr_t caller)
{
	enum mz_interrupted interrupted = MZ_INTERRUPTED_NOT;
	const struct mz_call call = self->call;
	while (number) {
		mz_caller_wipe();
		interrupted = stronger(interrupted, mz_signals_deliver(self, number, caller));
		self->call = call;
		number = check_requests(self, signals ? signals : mz_request_ready(self), false, caller);
	}
	return interrupted;
}

static enum mz_interrupted handle_ready(struct mz_fiber *self, int number, uintptr_t caller)
{
	return handle_all(self, number, 0, caller);
}

enum mz_interrupted mz_request_point(struct mz_fiber *self, uintptr_t caller)
{
	uint64_t wanted = mz_request_ready(self);
	return wanted ? handle_ready(self, check_requests(self, wanted, false, caller), caller) : MZ_INTERRUPTED_NOT;
}

enum mz_interrupted mz_request_poll(struct mz_fiber *self, uintptr_t caller)
{
	uint64_t wanted = mz_request_ready(self);
	return wanted ? handle_ready(self, check_requests(self, wanted, true, caller), caller) : MZ_INTERRUPTED_NOT;
}

enum mz_interrupted mz_request_signals(struct mz_fiber *self, uint64_t signals, uintptr_t caller)
{
	return handle_all(self, check_requests(self, signals, false, caller), signals, caller);
}

/* The check belongs to the call of the operation that follows, if that call is known. What was noted of the call is
 * kept for the operation. */
void mz_request_before(struct mz_fiber *self)
{
	const struct mz_caller kept = mz_caller_keep();
	uint64_t signals = mz_signals_deliverable(self);
	if (!self->has_checked_requests && signals && !mz_rt.invariants.evaluating) {
		mz_request_signals(self, signals, mz_rt.way->place_of_signals(self));
		mz_caller_again(&kept);
	}
	self->has_checked_requests = false;
}

/* The functions that POSIX requires to be cancellation points, and those of Linux that are like them. Functions that POSIX
 * lets be such points (those of streams among them) are none here. */
bool mz_request_is_point(const char *name)
{
	static const char names[] = " accept accept4 aio_suspend close connect copy_file_range epoll_pwait epoll_wait "
	                            "fdatasync fsync mq_receive mq_send mq_timedreceive mq_timedsend msgrcv msgsnd "
	                            "msync poll ppoll pread pread64 preadv preadv2 preadv64 preadv64v2 pselect read "
	                            "readv recv recvfrom recvmmsg recvmsg select sendmsg sendto splice system tcdrain "
	                            "wait wait3 wait4 waitid waitpid ";
	char word[32];
	return snprintf(word, sizeof word, " %s ", name) < (int)sizeof word && strstr(names, word);
}

/* ---- waiting ---- */

/* Reports whether a request was made since SELF last checked; where states are searched, whether one is pending. */
static bool has_new_request(const struct mz_fiber *self)
{
	const struct mz_object *requests = mz_requests_of(self);
	return mz_rt.way->is_asked(self, requests);
}

/* Waits by an operation, one access of which is to SELF's requests, until one of `wanted`
 * is made or (`passes`) at once. */
static void wait_for_request(struct mz_fiber *self, struct mz_operation operation, uint64_t wanted, bool passes,
                             uintptr_t caller)
{
	self->requests.awaited = wanted;
	mz_visible_if(self, operation, passes || (wanted && has_new_request(self)), caller);
	self->requests.awaited = 0;
}

enum mz_interrupted mz_request_await(struct mz_fiber *self, struct mz_object *object, enum mz_op op, uint64_t signals,
                                     uintptr_t caller)
{
	uint64_t wanted = signals ? signals : mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = mz_accesses_now(self);
	accesses[0] = access_to_requests(requests, wanted);
	accesses[0].age = 2;
	accesses[1] = (struct mz_access){.object = object->address,
	                                 .mask = 0xff,
	                                 .kind = mz_class_kind(mz_op_class(op), false),
	                                 .only_waited = true,
	                                 .age = 1};
	self->requests.op_awaited = (uint16_t)op;
	self->call.phase = 0; /* each try is the same place as the one before */
	mz_object_enqueue(object, self);
	const struct mz_operation operation = mz_operation(op_of(wanted), 2);
	wait_for_request(self, operation, wanted, false, caller);
	mz_object_dequeue(object, self);
	accesses[1].before = mz_objects_state(object->address);
	int number = take_request(self, requests, wanted, operation);
	mz_caller_wipe();
	return handle_all(self, number, signals, caller);
}

enum mz_interrupted mz_request_await_any(struct mz_fiber *self, const struct mz_access *objects, uint16_t n,
                                         uintptr_t caller)
{
	uint64_t wanted = mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = mz_accesses_room(self, n + 1UL);
	accesses[0] = access_to_requests(requests, wanted);
	accesses[0].age = 2;
	for (uint16_t i = 0; i < n; i++) {
		accesses[i + 1] = objects[i];
		accesses[i + 1].only_waited = true;
		accesses[i + 1].age = 1;
	}
	self->requests.op_awaited = MZ_OP_POLL;
	self->call.phase = 0;
	self->waits.object = n ? mz_object_find(objects[0].object) : NULL;
	const struct mz_operation operation = mz_operation(op_of(wanted), (uint16_t)(n + 1));
	wait_for_request(self, operation, wanted, false, caller);
	self->waits.object = NULL;
	for (uint16_t i = 1; i <= n; i++) accesses[i].before = mz_objects_state(accesses[i].object);
	return handle_ready(self, take_request(self, requests, wanted, operation), caller);
}

bool mz_request_leave(struct mz_fiber *self, struct mz_object *condition, uint64_t signals, uintptr_t caller)
{
	uint64_t wanted = signals ? signals : mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = mz_accesses_now(self);
	accesses[0] = (struct mz_access){
	    .object = requests->address, .mask = 0xff, .kind = MZ_READ, .only_waited = true, .age = 2};
	accesses[1] =
	    (struct mz_access){.object = condition->address, .mask = 0xff, .kind = MZ_WRITE, .effect = -1, .age = 1};
	const struct mz_operation operation = mz_operation(MZ_OP_END_WAIT, 2);
	wait_for_request(self, operation, wanted, false, caller);
	bool woken = self->waits.object != condition;
	accesses[0].before = requests->state;
	accesses[1].before = condition->queued;
	if (woken) accesses[1].effect = 0;
	mz_commit(self, operation);
	if (!woken) mz_object_dequeue(condition, self);
	return !woken;
}

void mz_request_woken(struct mz_fiber *fiber, const struct mz_object *condition)
{
	struct mz_access *leaves = &fiber->accesses[fiber->requests.awaited ? 1 : 0];
	leaves->kind = MZ_READ;
	leaves->expected = condition->wakes;
	mz_set_enabled(fiber, true);
}

bool mz_request_await_end(struct mz_fiber *self, struct mz_object *end, uintptr_t caller)
{
	uint64_t wanted = mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = mz_accesses_now(self);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_READ, .age = 1};
	accesses[1] = (struct mz_access){.object = end->address, .mask = 0xff, .kind = MZ_READ, .age = MZ_AGE_EVER};
	self->requests.op_awaited = MZ_OP_JOIN;
	self->call.phase = 0;
	mz_object_enqueue(end, self);
	const struct mz_operation operation = mz_operation(MZ_OP_JOIN, 2);
	wait_for_request(self, operation, wanted, end->state != 0, caller);
	mz_object_dequeue(end, self);
	accesses[0].before = requests->state;
	accesses[1].before = end->state;
	mz_commit(self, operation);
	return end->state != 0;
}

bool mz_request_pass(struct mz_fiber *self, struct mz_object *object, uint64_t target, uintptr_t caller)
{
	uint64_t signals = mz_signals_deliverable(self);
	const struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = mz_accesses_now(self);
	uint16_t n = signals ? 2 : 1;
	accesses[0] = (struct mz_access){
	    .object = object->address, .before = object->state, .expected = target - 1, .mask = 0xff, .kind = MZ_READ};
	accesses[1] = (struct mz_access){.object = mz_request_count_of(self),
	                                 .before = requests->wakes,
	                                 .expected = self->requests.count_seen,
	                                 .mask = 0xff,
	                                 .kind = MZ_READ};
	self->requests.op_awaited = MZ_OP_PASS;
	self->has_checked_requests = false;
	self->call.phase = 0;
	mz_object_enqueue(object, self);
	const struct mz_operation operation = mz_operation(MZ_OP_PASS, n);
	wait_for_request(self, operation, signals, object->state >= target, caller);
	mz_object_dequeue(object, self);
	accesses[0].before = object->state;
	accesses[1].before = requests->wakes;
	mz_commit(self, operation);
	return object->state >= target;
}

int mz_request_take(struct mz_fiber *self, uint64_t signals, bool awaits, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(self);
	uint64_t wanted = signals | (mz_request_ready(self) & MZ_REQUEST_CANCEL);
	if (!awaits) return check_requests(self, wanted, false, caller);
	mz_accesses_now(self)[0] = access_to_requests(requests, wanted);
	self->accesses[0].age = 1;
	self->call.phase = 0;
	const struct mz_operation operation = mz_operation(op_of(wanted), 1);
	wait_for_request(self, operation, wanted, false, caller);
	return take_request(self, requests, wanted, operation);
}

/* ---- acquiring ---- */

void mz_object_wait(struct mz_fiber *self, struct mz_object *object, enum mz_op op, enum mz_access_kind kind,
                    int effect, uintptr_t caller)
{
	uint64_t signals = MZ_UNLIKELY(mz_rt.mode.checks_signals) ? mz_signals_deliverable(self) : 0;
	if (MZ_UNLIKELY(signals)) {
		enum mz_op tries = op == MZ_OP_LOCK_SHARED ? MZ_OP_TRYLOCK_SHARED : MZ_OP_TRYLOCK;
		while (!mz_object_try(self, object, tries, effect, caller))
			mz_request_await(self, object, tries, signals, caller);
		return;
	}
	struct mz_access *access = mz_accesses(self);
	*access = mz_object_whole(object, effect);
	access->kind = (uint8_t)kind;
	mz_object_enqueue(object, self);
	const struct mz_operation operation = mz_operation(op, 1);
	mz_visible_if(self, operation, mz_class_passes(mz_op_class(op), object->state, 0), caller);
	mz_object_dequeue(object, self);
	access->before = object->state;
	mz_commit(self, operation);
	mz_object_change_state(object, kind, effect);
}
