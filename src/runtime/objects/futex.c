/* SPDX-License-Identifier: MIT */
#include "runtime/objects/futex.h"
#include "runtime/objects/deadline.h"
#include "runtime/objects/model.h"
#include "runtime/objects/point.h"
#include "runtime/objects/request.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <linux/futex.h>

/* The threads that wait at a word, as an object. */
static struct mz_object *find_waiters(const uint32_t *word)
{
	struct mz_object *object = mz_object_find(mz_object_inside(word, MZ_INSIDE_FUTEX_WAITERS));
	object->type = MZ_OBJECT_FUTEX;
	return object;
}

static long fail(int error)
{
	errno = error;
	return -1;
}

/* Compares the word with `value` and, if equal, joins the queue, in one operation. Reports whether they were equal. */
static bool start_waiting(struct mz_fiber *self, struct mz_object *futex, const uint32_t *word, uint32_t value,
                          uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses(self);
	uintptr_t aligned = (uintptr_t)word & ~7UL;
	accesses[0] = (struct mz_access){.object = futex->address, .mask = 0xff, .kind = MZ_WRITE};
	accesses[1] =
	    (struct mz_access){.object = aligned, .mask = (uint8_t)(0xfU << ((uintptr_t)word & 7)), .kind = MZ_READ};
	const struct mz_operation operation = mz_operation(MZ_OP_FUTEX_WAIT, 2);
	mz_visible(self, operation, caller);
	bool waits = *word == value;
	accesses[0].before = futex->queued;
	accesses[0].effect = waits;
	accesses[1].before = *(const uint64_t *)aligned;
	mz_commit(self, operation);
	if (waits) mz_object_enqueue(futex, self);
	return waits;
}

#define NEVER (MZ_TIME_INVALID - 1)

static uint64_t deadline(const struct mz_fiber *self, int operation, const struct timespec *time)
{
	if (!time) return NEVER;
	if ((operation & FUTEX_CMD_MASK) != FUTEX_WAIT)
		return mz_time_from(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
	uint64_t length = mz_time_length(time);
	return length == MZ_TIME_INVALID ? length : self->time + length;
}

/* Waits where signals may arrive: SELF leaves the queue to handle a signal, and starts over unless the signal ends the
 * wait. */
static long wait_interruptibly(struct mz_fiber *self, struct mz_object *futex, const uint32_t *word, uint32_t value,
                               uint64_t signals, uintptr_t caller)
{
	const uint32_t bits = self->waits.bits; /* a handler may wait at another futex, with other bits */
	while (start_waiting(self, futex, word, value, caller)) {
		if (!mz_request_leave(self, futex, signals, caller)) return 0;
		if (mz_request_signals(self, signals, caller) == MZ_INTERRUPTED) return fail(EINTR);
		self->waits.bits = bits;
	}
	return fail(EAGAIN);
}

static long wait_at_word(struct mz_fiber *self, uint32_t *word, uint32_t value, uint64_t until, uintptr_t caller)
{
	struct mz_object *futex = find_waiters(word);
	uint64_t signals = mz_signals_deliverable(self);
	if (until == MZ_TIME_INVALID) return fail(EINVAL);
	if (until == NEVER && signals) return wait_interruptibly(self, futex, word, value, signals, caller);
	if (!start_waiting(self, futex, word, value, caller)) return fail(EAGAIN);
	if (until == NEVER) {
		mz_suspend(self, MZ_FIBER_WAITING);
		return 0;
	}
	if (!mz_object_leave(self, futex, caller)) return 0;
	if (signals && mz_request_signals(self, signals, caller) != MZ_INTERRUPTED_NOT) return fail(EINTR);
	return fail(mz_timers_reach(self, until, caller) == MZ_INTERRUPTED_NOT ? ETIMEDOUT : EINTR);
}

static void wake_one(struct mz_fiber *self, struct mz_object *futex, struct mz_fiber *waiter)
{
	mz_object_dequeue(futex, waiter);
	/* a wait that may time out or be interrupted: the thread learns of the wake-up when it is chosen next */
	if (waiter->state == MZ_FIBER_PENDING) {
		mz_request_woken(waiter, futex);
		return;
	}
	mz_order(self, waiter);
	mz_make_ready(waiter);
}

/* Returns how many threads a wake-up would wake: at most `most` of those that wait for any of the bits. */
static uint32_t count_matching(const struct mz_object *futex, uint32_t most, uint32_t bits)
{
	uint32_t n = 0;
	for (const struct mz_fiber *waiter = futex->queue; waiter && n < most; waiter = waiter->next)
		if (waiter->waits.bits & bits) n++;
	return n;
}

static void wake_first(struct mz_fiber *self, struct mz_object *futex, uint32_t n, uint32_t bits)
{
	struct mz_fiber *next;
	for (struct mz_fiber *waiter = futex->queue; n; waiter = next) {
		next = waiter->next;
		if (!(waiter->waits.bits & bits)) continue;
		wake_one(self, futex, waiter);
		n--;
	}
}

static long wake_waiters(struct mz_fiber *self, uint32_t *word, uint32_t most, uint32_t bits, uintptr_t caller)
{
	struct mz_object *futex = find_waiters(word);
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = futex->address, .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_operation operation = mz_operation(MZ_OP_FUTEX_WAKE, 1);
	mz_visible(self, operation, caller);
	uint32_t woken = count_matching(futex, most, bits);
	access->before = futex->queued;
	access->kind = futex->queued ? MZ_WRITE : MZ_READ;
	access->effect = (int16_t)-woken;
	if (futex->queued) access->expected = ++futex->wakes;
	mz_commit(self, operation);
	wake_first(self, futex, woken, bits);
	return woken;
}

/* ---- moving those that wait to another word ---- */

struct requeue {
	uint32_t *from, *to;
	uint32_t wakes, moves;    /* limits on how many threads are woken and moved */
	const uint32_t *expected; /* the value that the first word must have, or NULL */
};

/* Returns how many threads there are to move. Threads that may time out cannot be moved: the object in their pending
 * operation must not change. */
static uint32_t count_moved(const struct mz_object *from, uint32_t woken, uint32_t most)
{
	uint32_t n = 0;
	for (const struct mz_fiber *waiter = from->queue; waiter && n < woken + most; waiter = waiter->next) {
		if (n++ >= woken && waiter->state == MZ_FIBER_PENDING)
			mz_unsupported("it moves a thread that may time out from one futex to another");
	}
	return n - woken;
}

static long requeue(struct mz_fiber *self, const struct requeue *how, uintptr_t caller)
{
	struct mz_object *from = find_waiters(how->from), *to = find_waiters(how->to);
	uintptr_t aligned = (uintptr_t)how->from & ~7UL;
	uint8_t bytes = (uint8_t)(0xfU << ((uintptr_t)how->from & 7));
	uint16_t n = 0;
	mz_accesses(self); /* handles pending signals */
	struct mz_access *accesses = mz_accesses_room(self, 3);
	accesses[n++] = (struct mz_access){.object = from->address, .mask = 0xff, .kind = MZ_WRITE};
	if (from != to) accesses[n++] = (struct mz_access){.object = to->address, .mask = 0xff, .kind = MZ_WRITE};
	if (how->expected) accesses[n++] = (struct mz_access){.object = aligned, .mask = bytes, .kind = MZ_READ};
	const struct mz_operation operation = mz_operation(MZ_OP_FUTEX_REQUEUE, n);
	mz_visible(self, operation, caller);
	bool goes_on = !how->expected || *how->from == *how->expected;
	uint32_t woken = goes_on ? count_matching(from, how->wakes, FUTEX_BITSET_MATCH_ANY) : 0;
	uint32_t moved = goes_on ? count_moved(from, woken, how->moves) : 0;
	accesses[0].before = from->queued;
	accesses[0].effect = (int16_t) - (from == to ? woken : woken + moved);
	if (from != to) {
		accesses[1].before = to->queued;
		accesses[1].effect = (int16_t)moved;
	}
	if (how->expected) accesses[n - 1].before = *(const uint64_t *)aligned;
	mz_commit(self, operation);
	wake_first(self, from, woken, FUTEX_BITSET_MATCH_ANY);
	for (uint32_t i = 0; i < moved; i++) {
		struct mz_fiber *waiter = from->queue;
		mz_object_dequeue(from, waiter);
		mz_object_enqueue(to, waiter);
	}
	return goes_on ? woken + moved : fail(EAGAIN);
}

long mz_futex(struct mz_fiber *self, const struct mz_futex_call *call, uintptr_t caller)
{
	int command = call->operation & FUTEX_CMD_MASK;
	bool selects = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
	uint32_t bits = selects ? call->value3 : FUTEX_BITSET_MATCH_ANY, most = (uint32_t)(uintptr_t)call->time;
	bool compares = command == FUTEX_CMP_REQUEUE;
	const struct requeue how = {call->word, call->second, call->value, most, compares ? &call->value3 : NULL};
	if ((uintptr_t)call->word & 3 || !bits) return fail(EINVAL);
	switch (command) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		self->waits.bits = bits;
		return wait_at_word(self, call->word, call->value, deadline(self, call->operation, call->time), caller);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET: return wake_waiters(self, call->word, call->value, bits, caller);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		if ((uintptr_t)call->second & 3 || (int)call->value < 0 || (int)most < 0) return fail(EINVAL);
		return requeue(self, &how, caller);
	default: mz_unsupported("it uses an operation on futexes other than wait, wake and requeue");
	}
}
