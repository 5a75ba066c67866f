/* SPDX-License-Identifier: MIT */
#include "runtime/objects/point.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/model.h"
#include "runtime/objects/pending.h"
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

/* Returns room for `n` accesses of an operation that checks for `wanted`, and for the one that add_process() adds. */
static struct mz_access *room_for(struct mz_fiber *self, size_t n, uint64_t wanted)
{
	return mz_accesses_room(self, wanted & mz_rt.mode.process_signals ? n + 1 : n);
}

/* Adds, behind the other `n` accesses of an operation that checks for `wanted`, the one to the requests to the process:
 * where an execution has sent such a signal there. Returns the number of accesses then. */
static uint16_t add_process(struct mz_access *accesses, uint16_t n, uint64_t wanted)
{
	uint64_t shared = wanted & mz_rt.mode.process_signals;
	if (!shared) return n;
	accesses[n] = access_to_requests(mz_requests_of_process(), shared);
	return (uint16_t)(n + 1);
}

/* The same where requests are awaited, which the thread has looked for `age` events ago. */
static uint16_t add_process_awaited(struct mz_access *accesses, uint16_t n, uint64_t wanted, uint16_t age)
{
	uint16_t count = add_process(accesses, n, wanted);
	if (count > n) accesses[n].age = age;
	return count;
}

/* Completes the access to the requests to the process, if the operation of SELF has one: its last. */
static struct mz_access *process_access(struct mz_fiber *self, struct mz_operation operation, uint64_t wanted)
{
	if (!(wanted & mz_rt.mode.process_signals)) return NULL;
	struct mz_access *access = &self->accesses[operation.naccesses - 1];
	access->before = mz_requests_of_process()->state;
	return access;
}

/* SELF knows of all requests that were made so far. */
static void note_seen(struct mz_fiber *self)
{
	self->requests.count_seen = mz_requests_of(self)->wakes;
	self->requests.changes_seen = mz_request_changes(mz_requests_of(self));
	if (!mz_rt.mode.process_signals) return;
	const struct mz_object *process = mz_requests_of_process();
	self->requests.process_count_seen = process->wakes;
	self->requests.process_changes_seen = mz_request_changes(process);
}

/* Takes the signal `number` from those that are pending for SELF, or, with `process`, for the process. */
static void take_signal(struct mz_fiber *self, struct mz_object *requests, int number, bool process)
{
	uint32_t whom = process ? MZ_PENDING_PROCESS : self->index;
	if (!mz_pending_take(whom, number, &self->requests.taken)) requests->state &= ~mz_signals_bit(number);
	if (!process) return;
	requests->users++;
	mz_request_process_changed(false);
}

/* Returns those of `wanted` that are pending. */
static uint64_t pending_still(const struct mz_object *requests, uint64_t wanted)
{
	uint64_t shared = wanted & mz_rt.mode.process_signals;
	return (requests->state & wanted) | (shared ? mz_requests_of_process()->state & shared : 0);
}

/* Ends the operation by which SELF, which has been chosen, checks for requests. Returns the number of the signal
 * that it takes, 0 if there is none; does not return if SELF is cancelled. No other check is due before the next
 * operation. */
static int take_request(struct mz_fiber *self, struct mz_object *requests, uint64_t wanted,
                        struct mz_operation operation)
{
	struct mz_access *shared = process_access(self, operation, wanted);
	uint64_t found = requests->state & wanted, theirs = shared ? shared->before & shared->expected : 0;
	self->accesses[0].before = requests->state;
	self->accesses[0].kind = found | theirs ? MZ_WRITE : MZ_READ;
	if (shared) shared->kind = self->accesses[0].kind;
	mz_commit(self, operation);
	self->has_checked_requests = true;
	if (found & MZ_REQUEST_CANCEL) {
		requests->state &= ~MZ_REQUEST_CANCEL;
		note_seen(self);
		mz_leaving_unwind(self, PTHREAD_CANCELED);
	}
	int number = found | theirs ? mz_signals_first(found ? found : theirs) : 0;
	if (number) take_signal(self, found ? requests : mz_requests_of_process(), number, !found);
	note_seen(self);
	self->requests.found_too = number ? pending_still(requests, wanted) : 0;
	return number;
}

/* Checks for requests by an operation, and returns as take_request(). If SELF `polls`, a loop around the call may be
 * recognised. */
static int check_requests(struct mz_fiber *self, uint64_t wanted, bool polls, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = mz_accesses_now(self);
	accesses[0] = access_to_requests(requests, wanted);
	const struct mz_operation operation = mz_operation(op_of(wanted), add_process(accesses, 1, wanted));
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
	self->requests.passes = passes;
	mz_visible_if(self, operation, passes || (wanted && has_new_request(self)), caller);
	self->requests.awaited = 0;
}

enum mz_interrupted mz_request_await(struct mz_fiber *self, struct mz_object *object, enum mz_op op, uint64_t signals,
                                     uintptr_t caller)
{
	uint64_t wanted = signals ? signals : mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = room_for(self, 2, wanted);
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
	const struct mz_operation operation = mz_operation(op_of(wanted), add_process_awaited(accesses, 2, wanted, 2));
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
	struct mz_access *accesses = room_for(self, n + 1UL, wanted);
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
	const struct mz_operation operation =
	    mz_operation(op_of(wanted), add_process_awaited(accesses, (uint16_t)(n + 1), wanted, 2));
	wait_for_request(self, operation, wanted, false, caller);
	self->waits.object = NULL;
	for (uint16_t i = 1; i <= n; i++) accesses[i].before = mz_objects_state(accesses[i].object);
	return handle_ready(self, take_request(self, requests, wanted, operation), caller);
}

bool mz_request_leave(struct mz_fiber *self, struct mz_object *condition, uint64_t signals, uintptr_t caller)
{
	uint64_t wanted = signals ? signals : mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = room_for(self, 2, wanted);
	accesses[0] = (struct mz_access){
	    .object = requests->address, .mask = 0xff, .kind = MZ_READ, .only_waited = true, .age = 2};
	accesses[1] =
	    (struct mz_access){.object = condition->address, .mask = 0xff, .kind = MZ_WRITE, .effect = -1, .age = 1};
	const struct mz_operation operation = mz_operation(MZ_OP_END_WAIT, add_process_awaited(accesses, 2, wanted, 2));
	if (operation.naccesses > 2) {
		accesses[2].kind = MZ_READ;
		accesses[2].only_waited = true;
	}
	wait_for_request(self, operation, wanted, false, caller);
	bool woken = self->waits.object != condition;
	accesses[0].before = requests->state;
	process_access(self, operation, wanted);
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
	fiber->requests.passes = true;
	mz_set_enabled(fiber, true);
}

bool mz_request_await_end(struct mz_fiber *self, struct mz_object *end, uintptr_t caller)
{
	uint64_t wanted = mz_request_ready(self);
	struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = room_for(self, 2, wanted);
	accesses[0] = (struct mz_access){.object = requests->address, .mask = 0xff, .kind = MZ_READ, .age = 1};
	accesses[1] = (struct mz_access){.object = end->address, .mask = 0xff, .kind = MZ_READ, .age = MZ_AGE_EVER};
	self->requests.op_awaited = MZ_OP_JOIN;
	self->has_checked_requests = false; /* a signal may come before the end does */
	self->call.phase = 0;
	mz_object_enqueue(end, self);
	const struct mz_operation operation = mz_operation(MZ_OP_JOIN, add_process_awaited(accesses, 2, wanted, 1));
	if (operation.naccesses > 2) accesses[2].kind = MZ_READ;
	wait_for_request(self, operation, wanted, end->state != 0, caller);
	mz_object_dequeue(end, self);
	accesses[0].before = requests->state;
	accesses[1].before = end->state;
	process_access(self, operation, wanted);
	mz_commit(self, operation);
	return end->state != 0;
}

bool mz_request_pass(struct mz_fiber *self, struct mz_object *object, uint64_t target, uintptr_t caller)
{
	uint64_t signals = mz_signals_deliverable(self);
	const struct mz_object *requests = mz_requests_of(self);
	struct mz_access *accesses = room_for(self, 2, signals);
	const struct mz_object *process = signals & mz_rt.mode.process_signals ? mz_requests_of_process() : NULL;
	uint16_t n = process ? 3 : signals ? 2 : 1;
	accesses[0] = (struct mz_access){
	    .object = object->address, .before = object->state, .expected = target - 1, .mask = 0xff, .kind = MZ_READ};
	accesses[1] = (struct mz_access){.object = mz_request_count_of(self),
	                                 .before = requests->wakes,
	                                 .expected = self->requests.count_seen,
	                                 .mask = 0xff,
	                                 .kind = MZ_READ};
	if (process)
		accesses[2] = (struct mz_access){.object = mz_request_count_of_process(),
		                                 .before = process->wakes,
		                                 .expected = self->requests.process_count_seen,
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
	if (process) accesses[2].before = process->wakes;
	mz_commit(self, operation);
	return object->state >= target;
}

int mz_request_take(struct mz_fiber *self, uint64_t signals, bool awaits, uintptr_t caller)
{
	struct mz_object *requests = mz_requests_of(self);
	uint64_t wanted = signals | (mz_request_ready(self) & MZ_REQUEST_CANCEL);
	if (!awaits) return check_requests(self, wanted, false, caller);
	struct mz_access *accesses = mz_accesses_now(self);
	accesses[0] = access_to_requests(requests, wanted);
	accesses[0].age = 1;
	self->call.phase = 0;
	const struct mz_operation operation = mz_operation(op_of(wanted), add_process_awaited(accesses, 1, wanted, 1));
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
