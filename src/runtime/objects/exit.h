/* SPDX-License-Identifier: MIT
 *
 * The end of the program under test: exit and its handlers.
 */
#ifndef MZ_RUNTIME_OBJECTS_EXIT_H
#define MZ_RUNTIME_OBJECTS_EXIT_H

#include "runtime/core/core.h"

/* Which handlers are called first: none (_exit), those of quick_exit, those of exit. */
enum mz_exit_way { MZ_EXIT_NOW, MZ_EXIT_QUICK, MZ_EXIT_HANDLERS };

/* Runs the handlers, and has SELF wait for the end of the process, which takes effect when no other thread can make a
 * step. If another thread is calling handlers already, SELF only waits. */
_Noreturn void mz_exit_program(struct mz_fiber *self, int status, enum mz_exit_way way, uintptr_t caller);

/* Registers an exit handler for the module that contains the address `module` (NULL: for no module). With
 * `with_status`, the handler gets the exit status and the argument, as of on_exit; else the argument alone. Returns
 * false if there is no memory. */
bool mz_exit_register(void *function, void *argument, const void *module, bool with_status, uintptr_t caller);
/* Registers a handler of quick_exit. */
bool mz_exit_register_quick(void *function, const void *module, uintptr_t caller);
/* Runs, and forgets, the handlers that a module in [low, high) registered: the module is unloaded. */
void mz_exit_run_those(uintptr_t low, uintptr_t high);
/* Notes the handlers that are registered now; mz_exit_restore() brings these back. */
void mz_exit_save(void);
void mz_exit_restore(void);
/* Passes the arguments of the handlers to `look_through`, for leak.h. */
void mz_exit_roots(void (*look_through)(const void *from, const void *to));
/* See state.h. */
void mz_exit_store(struct mz_state *state);
void mz_exit_load(struct mz_state *state);

#endif
