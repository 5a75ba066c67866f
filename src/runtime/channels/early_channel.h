/* SPDX-License-Identifier: MIT
 *
 * Pipes, pairs of sockets and eventfds that exist when main begins: see early.h.
 */
#ifndef MZ_RUNTIME_CHANNELS_EARLY_CHANNEL_H
#define MZ_RUNTIME_CHANNELS_EARLY_CHANNEL_H

#include "runtime/channels/descriptor.h"

/* The program has made one, outside of an execution. `numbers` has two, or one for an eventfd. */
void mz_early_channel_made(const struct mz_making *making, const int *numbers, uintptr_t caller);
/* Takes what is in them: before the first execution. */
void mz_early_channels_save(void);
/* They are as they were then: at the beginning of each. */
void mz_early_channels_start(struct mz_fiber *first);

#endif
