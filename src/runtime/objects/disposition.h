/* SPDX-License-Identifier: MIT
 *
 * Dispositions: what the program has set is to be done with a signal. Each is an object, which is read where a thread
 * acts by it.
 */
#ifndef MZ_RUNTIME_OBJECTS_DISPOSITION_H
#define MZ_RUNTIME_OBJECTS_DISPOSITION_H

#include "runtime/core/core.h"
#include "runtime/objects/pending.h"
#include <signal.h>

/* Reports whether the number is that of a signal. */
bool mz_signals_is_valid(int number);
/* Reports whether the C library keeps the signal for itself. */
bool mz_signals_is_internal(int number);

/* Converts a sigset_t to a set of bits by signal number, and back. */
uint64_t mz_signals_of(const sigset_t *set);
void mz_signals_to(uint64_t signals, sigset_t *set);

/* Reports whether the thread blocks the signal. */
static inline bool mz_signals_blocks(const struct mz_fiber *fiber, int number)
{
	return number > 0 && number <= MZ_SIGNALS_MAX && (fiber->requests.blocked & mz_signals_bit(number));
}
/* Performs an operation on the disposition of a signal, a write if SELF `changes` it, a read if SELF acts by it: so
 * that both orders are explored. */
void mz_signals_touch_action(struct mz_fiber *self, int number, bool changes, uintptr_t caller);
/* Returns the disposition: no operation. */
struct sigaction mz_signals_action_of(int number);
/* Sets the disposition: no operation. */
void mz_signals_set_action(int number, const struct sigaction *new);
bool mz_signals_is_handler(const struct sigaction *action);

/* See state.h. What is stored is also what tells states apart. */
void mz_signals_store(struct mz_state *state);
void mz_signals_load(struct mz_state *state);

#endif
