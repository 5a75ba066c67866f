/* SPDX-License-Identifier: MIT
 *
 * What threads do with signals that they take: dispositions, handlers, and the masks that these set.
 */
#ifndef MZ_RUNTIME_OBJECTS_SIGNAL_ACTIONS_H
#define MZ_RUNTIME_OBJECTS_SIGNAL_ACTIONS_H

#include "runtime/core/core.h"
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#define MZ_SIGNALS_MAX 63 /* a request has the bit of its number, and 0 is another's */

static inline uint64_t mz_signals_bit(int number)
{
	return (uint64_t)1 << number;
}

/* A set of them, as the bits of their numbers, and back. */
uint64_t mz_signals_of(const sigset_t *set);
void mz_signals_to(uint64_t signals, sigset_t *set);

/* Whether it blocks the signal. */
static inline bool mz_signals_blocks(const struct mz_fiber *fiber, int number)
{
	return number > 0 && number <= MZ_SIGNALS_MAX && (fiber->requests.blocked >> number & 1);
}
/* What a call under way is told of a signal that was handled meanwhile. */
enum mz_interrupted { MZ_INTERRUPTED_NOT, MZ_INTERRUPTED_RESTARTS, MZ_INTERRUPTED };
/* The thread has taken the signal: does with it what its disposition says. */
enum mz_interrupted mz_signals_deliver(struct mz_fiber *self, int number, uintptr_t caller);

/* Whether the thread, were it to fault so now, would run a handler of the program. */
bool mz_signals_catches(const struct mz_fiber *fiber, int number);
/* Whether that handler is to run on the alternate stack. */
bool mz_signals_wants_alternate(int number);
/* Whether there is a signal of that number. */
bool mz_signals_is_valid(int number);

/* Sets a disposition, and says what it was: 0 or an error number. */
int mz_signals_action(struct mz_fiber *self, int number, const struct sigaction *new, struct sigaction *old,
                      uintptr_t caller);
/* Who changes a disposition and who acts by it are told apart by their order: an operation. */
void mz_signals_touch_action(struct mz_fiber *self, int number, bool changes, uintptr_t caller);
struct sigaction mz_signals_action_of(int number);
bool mz_signals_is_handler(const struct sigaction *action);
/* Calls the handler with the signals blocked that it is to block. `info` is NULL unless the kernel has sent it. */
void mz_signals_run_handler(struct mz_fiber *self, const struct sigaction *action, int number, siginfo_t *info,
                            ucontext_t *context);

/* A set that the C library has from the kernel, within a jump buffer or a context, has room for the mask that the
 * thread has with us: keeps it there; and makes it the thread's again, if there is one. */
void mz_signals_keep_mask(const struct mz_fiber *self, sigset_t *set);
void mz_signals_take_mask(struct mz_fiber *self, const sigset_t *set);

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
