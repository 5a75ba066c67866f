/* SPDX-License-Identifier: MIT */
#include "runtime/channels/timer_channel.h"
#include "runtime/channels/descriptor.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Describes accesses to the objects of a channel that is gone. */
static void describe(struct mz_access *accesses, uint64_t channel)
{
	for (unsigned part = 0; part < MZ_CHANNEL_PARTS; part++) {
		uint64_t object = mz_channel_part(channel, (enum mz_channel_part)part);
		accesses[part] = (struct mz_access){
		    .object = object, .before = mz_objects_state(object), .mask = 0xff, .kind = MZ_WRITE};
	}
}

/* Changes how often the timer has expired, by an operation that is part of a section: adds `times`, or, with 0, sets the
 * number to 0. If the channel was closed, that is written all the same: it may have been closed later as well. */
static void change(struct mz_fiber *self, uint64_t channel, uint64_t times, uintptr_t caller)
{
	const struct mz_operation operation = mz_operation(MZ_OP_POST, MZ_CHANNEL_PARTS);
	mz_accesses(self); /* it begins here */
	struct mz_access *accesses = mz_accesses_room(self, MZ_CHANNEL_PARTS);
	struct mz_queue *queue = mz_descriptors_queue(channel);
	if (queue)
		mz_channel_describe_queue(accesses, 0, queue, MZ_WRITE);
	else
		describe(accesses, channel);
	mz_visible(self, operation, caller);
	if (queue && times)
		mz_queue_add(queue, times);
	else if (queue)
		queue->count = 0;
	mz_channel_settle(accesses, MZ_CHANNEL_PARTS, queue);
	mz_commit(self, operation);
	mz_channel_refresh();
	if (queue) mz_race_publish(self, &mz_channel_object(queue, MZ_CHANNEL_DATA)->clock);
}

void mz_timer_expired(struct mz_fiber *self, uint64_t channel, uint64_t times, uintptr_t caller)
{
	change(self, channel, times, caller);
}

bool mz_timer_is_news(uint64_t channel)
{
	const struct mz_queue *queue = mz_descriptors_queue(channel);
	return queue && (!queue->count || queue->by_edges);
}

/* ---- what the program calls ---- */

/* Returns what is wrong with the arguments, as the kernel has it. */
static int check(clockid_t clock, int flags)
{
	int error = errno, fd = MZ_REAL(timerfd_create)(clock, flags), wrong = fd < 0 ? errno : 0;
	if (fd >= 0) MZ_REAL(close)(fd);
	errno = error;
	return wrong;
}

int mz_timer_channel_make(struct mz_fiber *self, clockid_t clock, int flags, uintptr_t caller)
{
	int numbers[2] = {0, -1}, error = check(clock, flags);
	struct mz_making making = {
	    .kind = MZ_CHANNEL_TIMER, .nonblocking = flags & TFD_NONBLOCK, .close_on_exec = flags & TFD_CLOEXEC};
	if (!error) error = mz_timer_create_for_channel(self, clock, &making.timer, caller);
	if (error) return -error;
	error = mz_descriptors_make(self, &making, numbers, caller);
	if (error) mz_timer_delete(self, making.timer, caller);
	return error ? -error : numbers[0];
}

/* Sets the timer and forgets what was counted, in one step. */
static int set(struct mz_fiber *self, const struct mz_channel_end *end, int flags, const struct itimerspec *new,
               struct itimerspec *old, uintptr_t caller)
{
	if (!new) return mz_timer_set(self, end->timer, 0, NULL, old, caller);
	if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) return EINVAL;
	uint64_t first = mz_time_length(&new->it_value), interval = mz_time_length(&new->it_interval);
	if (first == MZ_TIME_INVALID || interval == MZ_TIME_INVALID) return EINVAL;
	mz_request_expect(MZ_REQUESTS_SIGNAL); /* from now on time that passes waits for timers */
	uint64_t blocked = mz_ignored_begin_section(self, caller);
	int error = mz_timer_set(self, end->timer, flags & TFD_TIMER_ABSTIME ? TIMER_ABSTIME : 0, new, old, caller);
	if (!error) change(self, end->name, 0, caller);
	mz_ignored_end_section(self, blocked, caller);
	return error;
}

int mz_timer_channel_set(struct mz_fiber *self, int number, int flags, const struct itimerspec *new,
                         struct itimerspec *old, uintptr_t caller)
{
	struct mz_channel_end *end = mz_descriptor_look_up(self, number, caller);
	if (!end) return EBADF;
	int error = end->timer ? set(self, end, flags, new, old, caller) : EINVAL;
	mz_channel_leave(end);
	return error;
}
