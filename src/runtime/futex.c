/* SPDX-License-Identifier: MIT */
#include "runtime/futex.h"
#include "runtime/model.h"
#include "runtime/time.h"
#include <errno.h>
#include <linux/futex.h>

/* Who waits at a word: an address in it that nothing else has. */
static struct mz_object *find(const uint32_t *word)
{
	struct mz_object *object = mz_object_find((uintptr_t)word + 2);
	object->type = MZ_OBJECT_FUTEX;
	return object;
}

static long fail(int error)
{
	errno = error;
	return -1;
}

/* It looks at the word and is among those that wait, at once. Whether it is. */
static bool start_waiting(struct mz_fiber *self, struct mz_object *futex, const uint32_t *word, uint32_t value,
                          uintptr_t caller)
{
	struct mz_access *accesses = mz_accesses(self);
	uintptr_t aligned = (uintptr_t)word & ~7UL;
	accesses[0] = (struct mz_access){.object = futex->address, .mask = 0xff, .kind = MZ_WRITE};
	accesses[1] =
	    (struct mz_access){.object = aligned, .mask = (uint8_t)(0xfU << ((uintptr_t)word & 7)), .kind = MZ_READ};
	mz_visible(self, MZ_OP_FUTEX_WAIT, 2, 1, caller);
	bool waits = *word == value;
	accesses[0].before = futex->queued;
	accesses[0].effect = waits;
	accesses[1].before = *(const uint64_t *)aligned;
	mz_commit(self, MZ_OP_FUTEX_WAIT, 2, 1);
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

static long wait(struct mz_fiber *self, uint32_t *word, uint32_t value, uint64_t until, uintptr_t caller)
{
	struct mz_object *futex = find(word);
	if (until == MZ_TIME_INVALID) return fail(EINVAL);
	if (!start_waiting(self, futex, word, value, caller)) return fail(EAGAIN);
	if (until == NEVER) {
		mz_suspend(self, MZ_FIBER_WAITING);
		return 0;
	}
	if (!mz_object_leave(self, futex, caller)) return 0;
	mz_time_reach(self, until);
	return fail(ETIMEDOUT);
}

static void wake_one(struct mz_fiber *self, struct mz_object *futex)
{
	struct mz_fiber *waiter = futex->queue;
	mz_object_dequeue(futex, waiter);
	if (waiter->state == MZ_FIBER_PENDING) { /* it may time out, and hears of it when it leaves */
		waiter->accesses[0].kind = MZ_READ;
		waiter->accesses[0].expected = futex->wakes;
		return;
	}
	mz_order(self, waiter);
	mz_make_ready(waiter);
}

static long wake(struct mz_fiber *self, uint32_t *word, uint32_t most, uintptr_t caller)
{
	struct mz_object *futex = find(word);
	struct mz_access *access = mz_accesses(self);
	*access = (struct mz_access){.object = futex->address, .mask = 0xff, .kind = MZ_WRITE};
	mz_visible(self, MZ_OP_FUTEX_WAKE, 1, 1, caller);
	uint32_t count = futex->queued < most ? futex->queued : most;
	access->before = futex->queued;
	access->kind = futex->queued ? MZ_WRITE : MZ_READ;
	access->effect = (int16_t)-count;
	if (futex->queued) access->expected = ++futex->wakes;
	mz_commit(self, MZ_OP_FUTEX_WAKE, 1, 1);
	for (uint32_t n = 0; n < count; n++) wake_one(self, futex);
	return count;
}

long mz_futex(struct mz_fiber *self, uint32_t *word, int operation, uint32_t value, const struct timespec *time,
              uint32_t bits, uintptr_t caller)
{
	int command = operation & FUTEX_CMD_MASK;
	bool selects = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
	if (selects && bits != FUTEX_BITSET_MATCH_ANY) mz_unsupported("it waits for some bits of a futex only");
	switch (command) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET: return wait(self, word, value, deadline(self, operation, time), caller);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET: return wake(self, word, value, caller);
	default: mz_unsupported("it uses an operation on futexes other than wait and wake");
	}
}
