/* SPDX-License-Identifier: MIT
 *
 * The memory that processes share, where threads stand for processes: one block, at the same address for all of them.
 * memory.c has what explorer/shared_memory.c has in the product. Nobody's patience ends: a lock that is waited for only so long is
 * waited for until it is free.
 */
#ifndef MZ_SELF_MEMORY_H
#define MZ_SELF_MEMORY_H

#include <stddef.h>

/* Makes this block, which is all zero and aligned to pages, the memory that is opened next, and that threads may be killed in. */
void mz_memory_use(void *block, size_t size);

#endif
