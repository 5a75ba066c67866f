/* SPDX-License-Identifier: MIT
 *
 * Signals that threads of the program send to each other: the functions that the hooks call. (Signals of conditions are
 * in condition.h.) Dispositions and handlers are in signal_actions.h. A pending signal is a request (request.h), what it
 * was sent with is in pending.h. Signals from outside are left to the kernel.
 */
#ifndef MZ_RUNTIME_OBJECTS_SIGNALS_H
#define MZ_RUNTIME_OBJECTS_SIGNALS_H

#include "runtime/core/core.h"
#include <signal.h>
#include <ucontext.h>

/* Reports whether any instrumented module can send signals, by what it imports. */
bool mz_signals_are_seen(void);
/* Acts on a fault of the thread as the signal's disposition says. `context` is passed to the handler, which may change
 * it. */
void mz_signals_trap(struct mz_fiber *self, siginfo_t *info, ucontext_t *context, uintptr_t caller);

/* These return 0 or an error number. mz_signals_mask() is pthread_sigmask, mz_signals_send() is pthread_kill. */
int mz_signals_mask(struct mz_fiber *self, int how, const sigset_t *set, sigset_t *old, uintptr_t caller);
int mz_signals_send(struct mz_fiber *self, unsigned long handle, const struct mz_signal_info *info, uintptr_t caller);
/* Sends a signal to the process: any thread may handle it, or wait for it, that does not block it. If SELF is one of
 * these, it may be handled before this returns. With signal 0 only the number is checked. */
int mz_signals_send_to_process(struct mz_fiber *self, const struct mz_signal_info *info, uintptr_t caller);
/* Waits until a signal of `set` is pending, takes it and stores what it was sent with. `until` is as in time.h; 0 means
 * for ever. Returns EINTR if another signal was handled meanwhile. */
int mz_signals_wait(struct mz_fiber *self, uint64_t set, uint64_t until, struct mz_signal_info *info, uintptr_t caller);
/* Waits until a handler has run, with the signals of `blocked` blocked meanwhile. */
void mz_signals_pause(struct mz_fiber *self, uint64_t blocked, uintptr_t caller);

#endif
