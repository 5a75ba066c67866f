/* SPDX-License-Identifier: MIT
 *
 * Signals that threads of the program send to each other (those of conditions are in model.h): dispositions, masks,
 * handlers. That one is pending is a request (request.h). Signals from outside, and those of timers, are the kernel's.
 */
#ifndef MZ_RUNTIME_SIGNALS_H
#define MZ_RUNTIME_SIGNALS_H

#include "runtime/runtime.h"
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#define MZ_SIGNALS_MAX 63 /* a request has the bit of its number, and 0 is another's */

/* A set of them, as the bits of their numbers, and back. */
uint64_t mz_signals_of(const sigset_t *set);
void mz_signals_to(uint64_t signals, sigset_t *set);

/* Whether it blocks the signal. */
static inline bool mz_signals_blocks(const struct mz_fiber *fiber, int number)
{
	return number > 0 && number <= MZ_SIGNALS_MAX && (fiber->blocked >> number & 1);
}
/* Whether code that is instrumented sends signals. */
bool mz_signals_are_seen(void);
/* Those that the thread would handle if they were pending: none if nobody sends any to other threads. */
uint64_t mz_signals_deliverable(const struct mz_fiber *fiber);

/* What a call under way is told of a signal that was handled meanwhile. */
enum mz_interrupted { MZ_INTERRUPTED_NOT, MZ_INTERRUPTED_RESTARTS, MZ_INTERRUPTED };
/* The thread has taken the signal: does with it what its disposition says. */
enum mz_interrupted mz_signals_deliver(struct mz_fiber *self, int number, uintptr_t caller);

/* Whether the thread, were it to fault so now, would run a handler of the program. */
bool mz_signals_catches(const struct mz_fiber *fiber, int number);
/* Whether that handler is to run on the alternate stack. */
bool mz_signals_wants_alternate(int number);
/* The thread has faulted: does what the disposition says. `context` is what the handler is given, and may change. */
void mz_signals_trap(struct mz_fiber *self, siginfo_t *info, ucontext_t *context, uintptr_t caller);

/* A set that the C library has from the kernel, within a jump buffer or a context, has room for the mask that the
 * thread has with us: keeps it there; and makes it the thread's again, if there is one. */
void mz_signals_keep_mask(const struct mz_fiber *self, sigset_t *set);
void mz_signals_take_mask(struct mz_fiber *self, const sigset_t *set);

/* All return 0 or an error number. */
int mz_signals_action(struct mz_fiber *self, int number, const struct sigaction *new, struct sigaction *old,
                      uintptr_t caller);
int mz_signals_mask(struct mz_fiber *self, int how, const sigset_t *set, sigset_t *old, uintptr_t caller);
int mz_signals_send(struct mz_fiber *self, unsigned long handle, int number, uintptr_t caller);
/* Waits for one of the set, and takes it. `until` as in time.h; 0: for ever. EINTR: another one was handled. */
int mz_signals_wait(struct mz_fiber *self, uint64_t set, uint64_t until, int *number, uintptr_t caller);
/* Waits until one was handled, those of `blocked` left out. */
void mz_signals_pause(struct mz_fiber *self, uint64_t blocked, uintptr_t caller);

/* Notes the signals that the process inherits blocked: when the library is loaded. */
void mz_signals_init(void);
/* Before the first execution the program sets a disposition; the kernel knows of it already. */
void mz_signals_early(int number, const struct sigaction *new);
/* What is set now is what every execution begins with. */
void mz_signals_save(void);
void mz_signals_reset(void);
/* See state.h. What is stored is also what tells states apart. */
void mz_signals_store(struct mz_state *state);
void mz_signals_load(struct mz_state *state);

#endif
