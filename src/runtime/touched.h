/* SPDX-License-Identifier: MIT
 *
 * The plain accesses of the step under way: each word once for reading and once for writing, with all bytes of it that
 * were touched. Only kept while states are told apart; data races are then a matter of whoever compares steps.
 */
#ifndef MZ_RUNTIME_TOUCHED_H
#define MZ_RUNTIME_TOUCHED_H

#include "runtime/runtime.h"

void mz_touched_reset(void);
void mz_touched_add(uintptr_t address, size_t size, enum mz_access_kind kind);
/* Valid until the next call of any of these. */
const struct mz_access *mz_touched(size_t *count);

#endif
