/* SPDX-License-Identifier: MIT
 *
 * Pipes, pairs of sockets and eventfds that exist when main begins: see early.h.
 */
#ifndef MZ_RUNTIME_CHANNELS_EARLY_CHANNEL_H
#define MZ_RUNTIME_CHANNELS_EARLY_CHANNEL_H

#include "runtime/channels/descriptor.h"

/* Notes that the program has made a channel before the first execution. `numbers` has two entries, or one for an
 * eventfd. */
void mz_early_channel_made(const struct mz_making *making, const int *numbers, uintptr_t caller);
/* Reads what these channels contain. Called before the first execution. */
void mz_early_channels_save(void);
/* Makes these channels, with what they contained, at the beginning of each execution. */
void mz_early_channels_start(struct mz_fiber *first);

#endif
