/* SPDX-License-Identifier: MIT
 *
 * Signals that are ignored: by SIG_IGN, or because that is what SIG_DFL means for them. As in Linux, such a signal is
 * discarded when it is sent, unless the thread that it is sent to blocks it (of those to the process, the first thread
 * counts); and those that are pending are discarded when the signal becomes ignored, blocked or not.
 *
 * So sending a signal depends on its disposition, and of an ignored one on a mask. Sending looks at these, in one
 * section with the sending, and changing them is a step, only in programs in which some execution has sent an ignored
 * signal, or changed whether one is ignored beside other threads (MZ_REQUESTS_IGNORED). In others nobody can tell.
 */
#ifndef MZ_RUNTIME_OBJECTS_IGNORED_H
#define MZ_RUNTIME_OBJECTS_IGNORED_H

#include "runtime/core/core.h"
#include <signal.h>

/* Begin and end a section in which SELF handles no signals. The first returns what SELF blocks otherwise. */
uint64_t mz_ignored_begin_section(struct mz_fiber *self, uintptr_t caller);
void mz_ignored_end_section(struct mz_fiber *self, uint64_t blocked, uintptr_t caller);

/* Reports whether a signal to TARGET (NULL: to the process) is discarded. Where mz_rt.mode.discards_ignored, it is
 * called in the section that sends. */
bool mz_ignored_discards(struct mz_fiber *self, struct mz_fiber *target, int number, uintptr_t caller);

/* Sets a disposition, by an operation, and stores what it was before. If the signal becomes ignored, what is pending is
 * discarded in the same step. */
void mz_ignored_set_action(struct mz_fiber *self, int number, const struct sigaction *action, struct sigaction *before,
                           uintptr_t caller);

/* Changes which signals SELF blocks, where that matters by an operation. Signals that are pending are left to the
 * caller. */
void mz_ignored_set_blocked(struct mz_fiber *self, uint64_t blocked, uintptr_t caller);

#endif
