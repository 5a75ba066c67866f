/* SPDX-License-Identifier: MIT
 *
 * Signals as bits, and what pending signals were sent with. That a signal is pending is a bit of the requests to its thread or to the process
 * (request.h); what is kept here are the details of each, in the order in which they were sent. Signals from 32 on (the
 * real-time signals) queue: several with one number may be pending. Of any other, one can be pending at once.
 */
#ifndef MZ_RUNTIME_OBJECTS_PENDING_H
#define MZ_RUNTIME_OBJECTS_PENDING_H

#include "runtime/core/core.h"

#define MZ_SIGNALS_MAX 64

/* Returns the bit of a signal in sets of signals: that of its number, and bit 0 for signal 64. */
static inline uint64_t mz_signals_bit(int number)
{
	return (uint64_t)1 << (number & 63);
}

/* Returns the signal of the lowest bit in a set that is not empty. */
static inline int mz_signals_of_bit(uint64_t signals)
{
	return signals & 1 ? MZ_SIGNALS_MAX : __builtin_ctzll(signals);
}

/* Reports whether several signals of that number can be pending at once. */
bool mz_signals_queues(int number);

/* The process, where threads are told by their numbers. */
#define MZ_PENDING_PROCESS MZ_NO_THREAD

/* Adds a signal to those that are pending for a thread, or for the process. */
void mz_pending_add(uint32_t whom, const struct mz_signal_info *info);
/* Removes the signal of that number that was sent first, if there is one, and stores it in `*info`. Reports whether
 * another one of that number is pending. */
bool mz_pending_take(uint32_t whom, int number, struct mz_signal_info *info);
/* Removes all signals of that number that are pending for a thread, or for the process. */
void mz_pending_drop(uint32_t whom, int number);

void mz_pending_reset(void);
/* See state.h. What is stored is also what tells states apart. */
bool mz_pending_is_used(void);
void mz_pending_store(struct mz_state *state);
void mz_pending_load(struct mz_state *state);

#endif
