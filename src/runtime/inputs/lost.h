/* SPDX-License-Identifier: MIT
 *
 * Values that depend on inputs and go where no shadow follows them, or of which not all are tried: the verdict names
 * the places.
 */
#ifndef MZ_RUNTIME_INPUTS_LOST_H
#define MZ_RUNTIME_INPUTS_LOST_H

#include "concolic/abi.h"
#include "runtime/core/core.h"

/* Counts that a value which depends on inputs goes where no shadow follows it. `kind`: enum mz_sym_lost of
 * concolic/abi.h; `what`: the function that is called, or NULL. */
void mz_inputs_lose(uint32_t kind, const char *what, uintptr_t code);

/* Counts that a value which has to be concrete has more possible values than are tried. */
void mz_inputs_limit(uintptr_t code);

/* Sets, and returns, the place to name for code that a thread calls in place of the program's own; 0 ends that. */
void mz_lost_set_place(const struct mz_fiber *self, uintptr_t code);
uintptr_t mz_lost_place(uintptr_t code);

/* Ends the run if values that depend on inputs went where no shadow follows: then inputs need not do what they were
 * found for, and that is no fault of the program. */
void mz_inputs_refuse_lost(void);
/* Reports whether any were lost so far. */
bool mz_inputs_any_lost(void);

#endif
