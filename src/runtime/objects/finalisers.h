/* SPDX-License-Identifier: MIT
 *
 * Functions that run at the end of the process because they are in a module's array of such functions, as those of
 * __attribute__((destructor)) are. The loader would call them after the exit handlers.
 */
#ifndef MZ_RUNTIME_OBJECTS_FINALISERS_H
#define MZ_RUNTIME_OBJECTS_FINALISERS_H

#include "runtime/core/core.h"

/* Finds the functions of the modules that are loaded now. Called once, after mz_image_init(). */
void mz_finalisers_find(void);
/* Reports whether there are any. */
bool mz_finalisers_exist(void);
/* Runs them in the order in which the loader does. If one of them calls exit, those after it do not run, as in the C
 * library: to run them again does nothing. */
void mz_finalisers_run(void);

#endif
