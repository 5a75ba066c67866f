/* SPDX-License-Identifier: MIT
 *
 * Lists of variable arguments (va_list), as the ABI of x86-64 has them: in memory, there are the registers in which
 * arguments were passed, and the arguments that were passed on the stack.
 */
#ifndef MZ_RUNTIME_INPUTS_LIST_H
#define MZ_RUNTIME_INPUTS_LIST_H

#include "runtime/core/core.h"

/* Returns where an argument is; they are numbered as in concolic/abi.h, from 0 on. */
uintptr_t mz_list_place(const void *list, uint32_t slot);
/* Says that the registers of a list hold nothing that depends on inputs. */
void mz_list_forget(const void *list);
/* Reports whether arguments that were not taken from a list yet depend on inputs; it may have fewer than it seems to. */
bool mz_list_depends(const void *list);
/* Reports whether words can be a list: it says first how much of its registers was taken. */
bool mz_list_is(const uintptr_t *words, size_t n);

#endif
