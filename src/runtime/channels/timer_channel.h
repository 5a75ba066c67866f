/* SPDX-License-Identifier: MIT
 *
 * Timers that are read (timerfd_create): a channel whose queue is that of an eventfd, to which a timer (objects/timer.h)
 * adds 1 each time that it expires.
 */
#ifndef MZ_RUNTIME_CHANNELS_TIMER_CHANNEL_H
#define MZ_RUNTIME_CHANNELS_TIMER_CHANNEL_H

#include "runtime/channels/channel.h"
#include <time.h>

/* Makes such a channel. Returns its number, or minus an error number. */
int mz_timer_channel_make(struct mz_fiber *self, clockid_t clock, int flags, uintptr_t caller);
/* As timerfd_settime, or with NULL for `new` timerfd_gettime. Return 0 or an error number. */
int mz_timer_channel_set(struct mz_fiber *self, int number, int flags, const struct itimerspec *new,
                         struct itimerspec *old, uintptr_t caller);

#endif
