/* SPDX-License-Identifier: MIT
 *
 * Signals that threads of the program send to each other (those of conditions are in model.h): what they call.
 * Dispositions and handlers are in signal_actions.h. That one is pending is a request (request.h). Signals from
 * outside, and those of timers, are the kernel's.
 */
#ifndef MZ_RUNTIME_OBJECTS_SIGNALS_H
#define MZ_RUNTIME_OBJECTS_SIGNALS_H

#include "runtime/core/core.h"
#include <signal.h>
#include <ucontext.h>

/* Whether code that is instrumented sends signals. */
bool mz_signals_are_seen(void);
/* The thread has faulted: does what the disposition says. `context` is what the handler is given, and may change. */
void mz_signals_trap(struct mz_fiber *self, siginfo_t *info, ucontext_t *context, uintptr_t caller);

/* All return 0 or an error number. */
int mz_signals_mask(struct mz_fiber *self, int how, const sigset_t *set, sigset_t *old, uintptr_t caller);
int mz_signals_send(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller);
/* Waits for one of the set, and takes it. `until` as in time.h; 0: for ever. EINTR: another one was handled. */
int mz_signals_wait(struct mz_fiber *self, uint64_t set, uint64_t until, int *number, uintptr_t caller);
/* Waits until one was handled, those of `blocked` left out. */
void mz_signals_pause(struct mz_fiber *self, uint64_t blocked, uintptr_t caller);

#endif
