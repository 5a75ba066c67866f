/* SPDX-License-Identifier: MIT
 *
 * What threads do with signals that they take, by their dispositions (disposition.h): handlers, and the masks that these
 * set.
 */
#ifndef MZ_RUNTIME_OBJECTS_SIGNAL_ACTIONS_H
#define MZ_RUNTIME_OBJECTS_SIGNAL_ACTIONS_H

#include "runtime/core/core.h"
#include "runtime/objects/disposition.h"
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

/* Returns the signal of a set, not empty, that a thread handles first: one that faults have, else the lowest one. */
int mz_signals_first(uint64_t signals);

/* What became of a call during which signals were handled: none was; the call restarts (SA_RESTART); the call fails
 * with EINTR. */
enum mz_interrupted { MZ_INTERRUPTED_NOT, MZ_INTERRUPTED_RESTARTS, MZ_INTERRUPTED };
/* Acts on a signal that the thread has taken, as its disposition says: ignores it, runs its handler, or ends the
 * program. */
enum mz_interrupted mz_signals_deliver(struct mz_fiber *self, int number, uintptr_t caller);
/* Returns what is known of the signal that SELF has taken, and forgets it. */
struct mz_signal_info mz_signals_forget_taken(struct mz_fiber *self, int number);
/* Returns what the handler is told of a signal. */
siginfo_t mz_signals_info(const struct mz_signal_info *info);

/* Reports whether a fault with this signal, now, would make the thread run a handler of the program. */
bool mz_signals_catches(const struct mz_fiber *fiber, int number);
/* Reports whether the handler of the signal is to run on the alternate stack. */
bool mz_signals_wants_alternate(int number);
/* As sigaction: sets the disposition to `*new` and stores the old one in `*old`, each unless NULL. Returns 0 or an
 * error number. */
int mz_signals_action(struct mz_fiber *self, int number, const struct sigaction *new, struct sigaction *old,
                      uintptr_t caller);
/* Returns the disposition by which SELF acts on a signal, and with SA_RESETHAND makes it the default one: one or two
 * operations on the disposition. */
struct sigaction mz_signals_take_action(struct mz_fiber *self, int number, uintptr_t caller);
/* Calls the handler, with those signals blocked that `action` names. `info` is NULL unless the kernel has sent the
 * signal. Signals that the thread has found pending, and that are not blocked then, are handled first, as in Linux. */
void mz_signals_run_handler(struct mz_fiber *self, const struct sigaction *action, int number, siginfo_t *info,
                            ucontext_t *context);

/* Keep the thread's mask in the unused part of a set that the C library got from the kernel, within a jump buffer or a
 * context; and make the mask that is kept there, if any, the thread's again. */
void mz_signals_keep_mask(const struct mz_fiber *self, sigset_t *set);
void mz_signals_take_mask(struct mz_fiber *self, const sigset_t *set);

/* Notes the signals that the process inherited as blocked. Called when the library is loaded. */
void mz_signals_init(void);
/* Notes a disposition that the program has set before the first execution, with the kernel's knowledge. */
void mz_signals_early(int number, const struct sigaction *new);
/* Notes the dispositions that are set now; every execution begins with these, by mz_signals_reset(). */
void mz_signals_save(void);
void mz_signals_reset(void);

#endif
