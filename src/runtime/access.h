/* SPDX-License-Identifier: MIT
 *
 * Plain (not atomic) accesses of the program to memory.
 */
#ifndef MZ_RUNTIME_ACCESS_H
#define MZ_RUNTIME_ACCESS_H

#include "runtime/runtime.h"

/* After so many plain accesses without a visible operation a thread yields: it may be waiting for another one. */
#define MZ_QUIET_MAX 1000000

/* An access that the program makes as soon as this returns. */
void mz_plain(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);
/* One that is a place to switch even where others are not: volatile. */
void mz_plain_volatile(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);

/* A heap block that is about to be freed: a place to switch where accesses are. */
void mz_plain_free(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller);

/* Describes [address, address + size) as accesses to words, with what they hold now. Returns how many. */
uint16_t mz_words(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind);
void mz_words_before(struct mz_fiber *self, uint16_t n);

void mz_yield_now(struct mz_fiber *self, uintptr_t caller);

#endif
