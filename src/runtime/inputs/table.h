/* SPDX-License-Identifier: MIT
 *
 * The table of inputs, which is in the session: it only grows, and a byte of an input is the same byte of the solver's
 * space for the whole run.
 */
#ifndef MZ_RUNTIME_INPUTS_TABLE_H
#define MZ_RUNTIME_INPUTS_TABLE_H

#include "runtime/core/core.h"

/* Returns the `nth` input of a thread, or NULL. On other paths it may be another one, with another name or size. */
struct mz_session_input *mz_input_find(uint32_t thread, uint32_t nth, size_t size, const char *name);
/* Reports whether there is room for another input of that size, if all inputs may have `most` bytes. */
bool mz_input_fits(size_t size, size_t most);
/* Makes that the `n`-th input; does nothing if it is already. If another one is there, the session is older than what
 * workers agree on, and the rest of the table is not valid any more. */
void mz_input_set(uint32_t n, uint32_t thread, uint32_t nth, size_t size, const char *name);

#endif
