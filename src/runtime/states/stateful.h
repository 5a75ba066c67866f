/* SPDX-License-Identifier: MIT
 *
 * The program under test as one whose states can be kept, gone back to and compared: see trace/stateful.h.
 */
#ifndef MZ_RUNTIME_STATES_STATEFUL_H
#define MZ_RUNTIME_STATES_STATEFUL_H

#include "trace/stateful.h"

/* Returns the program under test as a struct mz_stateful; there is one per process. Called after mz_runtime_init() and
 * all other preparations for the first execution. */
const struct mz_stateful *mz_runtime_stateful(void);

#endif
