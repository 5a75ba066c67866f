/* SPDX-License-Identifier: MIT
 *
 * The program under test as one whose states can be kept, gone back to and compared: see trace/stateful.h.
 */
#ifndef MZ_RUNTIME_STATES_STATEFUL_H
#define MZ_RUNTIME_STATES_STATEFUL_H

#include "trace/stateful.h"

/* After mz_runtime_init() and what else comes before the first execution. There is one in a process. */
const struct mz_stateful *mz_runtime_stateful(void);

#endif
