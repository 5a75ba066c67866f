/* SPDX-License-Identifier: MIT
 *
 * The end of the program under test: exit and its handlers.
 */
#ifndef MZ_RUNTIME_OBJECTS_EXIT_H
#define MZ_RUNTIME_OBJECTS_EXIT_H

#include "runtime/core/core.h"

/* The thread asks for the end of the process, after the exit handlers if `handlers`. */
_Noreturn void mz_exit_program(struct mz_fiber *self, int status, bool handlers, uintptr_t caller);

/* An exit handler of the module that has this address, or of none (NULL); `with_status` handlers get the status and the
 * argument, as on_exit has it. */
bool mz_exit_register(void *function, void *argument, const void *module, bool with_status);
/* Runs those that a module in [low, high) registered: it is unloaded. */
void mz_exit_run_those(uintptr_t low, uintptr_t high);
/* mz_exit_restore() brings back the handlers that there are now. */
void mz_exit_save(void);
void mz_exit_restore(void);
/* Shows what the handlers will be called with, for leak.h. */
void mz_exit_roots(void (*look_through)(const void *from, const void *to));
/* See state.h. */
void mz_exit_store(struct mz_state *state);
void mz_exit_load(struct mz_state *state);

#endif
