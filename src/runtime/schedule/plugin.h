/* SPDX-License-Identifier: MIT
 *
 * Libraries that the program loads while it runs (dlopen).
 *
 * When an execution asks for one that is not known yet, everything begins anew with it: it is loaded outside of any
 * execution, for good, what its constructors did is taken back, and its data become part of the image, as they are
 * before constructors run. From then on to open it is to run its constructors, to close it is to run its destructors,
 * both as parts of the execution; what is opened again after that has its first data again.
 *
 * The loader is a lock: who opens or closes is alone.
 */
#ifndef MZ_RUNTIME_SCHEDULE_PLUGIN_H
#define MZ_RUNTIME_SCHEDULE_PLUGIN_H

#include "runtime/core/core.h"

/* As dlopen and dlclose: the results are theirs. */
void *mz_plugin_open(struct mz_fiber *self, const char *path, int flags, uintptr_t caller);
int mz_plugin_close(struct mz_fiber *self, void *handle, uintptr_t caller);

/* Loads what executions have asked for since the last call, here or in other processes that share the exploration. Called
 * outside of executions. */
void mz_plugin_open_known(void);

/* Forgets, for the next execution, which libraries were opened. */
void mz_plugin_reset(void);
/* See state.h. */
void mz_plugin_store(struct mz_state *state);
void mz_plugin_load(struct mz_state *state);

#endif
