/* SPDX-License-Identifier: MIT
 *
 * Plain (not atomic) accesses of the program to memory.
 */
#ifndef MZ_RUNTIME_WATCH_ACCESS_H
#define MZ_RUNTIME_WATCH_ACCESS_H

#include "runtime/core/core.h"

/* After so many plain accesses without a visible operation a thread yields: it may be waiting for another one. */
#define MZ_QUIET_MAX 1000000

/* Called before each plain access: the program makes the access as soon as this returns. */
void mz_plain(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);
/* The same for a read of bytes that are output to a descriptor: nothing in the program depends on them afterwards, unless
 * it reads them from there. Less than 0: to memory. */
void mz_plain_output(struct mz_fiber *self, uintptr_t address, size_t size, int fd, uintptr_t caller);
/* The same for a volatile access, which is a place to switch even where plain accesses are not. */
void mz_plain_volatile(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);

/* Called before and after a call that writes to memory on behalf of SELF, such as one of the kernel: with the most
 * bytes that it may write, and then with those that it has written. */
void mz_plain_begin(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller);
void mz_plain_end(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller);

/* Stores a result of one of our functions, `size` bytes, in memory of the program; `place` may be NULL. For data races
 * and bounds of blocks this is a write like any other, but no place to switch. */
void mz_plain_result(struct mz_fiber *self, void *place, const void *value, size_t size, uintptr_t caller);
#define MZ_RESULT(self, place, value, caller)                                                                          \
	mz_plain_result(self, place, &(__typeof__(*(place))){value}, sizeof *(place), caller)

/* Called before a heap block is freed: a place to switch where plain accesses are. */
void mz_plain_free(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller);

/* Describes [address, address + size) as accesses to words, in self->accesses. Returns the number of accesses. */
MZ_COLD uint16_t mz_words_many(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind);

/* The same, quick for ranges within one word. */
static inline uint16_t mz_words(struct mz_fiber *self, uintptr_t address, size_t size, enum mz_access_kind kind)
{
	unsigned low = address & 7;
	if (low + size > 8) return mz_words_many(self, address, size, kind);
	struct mz_access *access = mz_accesses(self);
	access->object = address & ~7UL;
	access->expected = 0;
	access->effect = 0;
	access->mask = (uint8_t)((0xffU >> (8 - size)) << low);
	access->kind = (uint8_t)kind;
	access->only_waited = false;
	access->really = 0;
	access->age = 0;
	return 1;
}

/* Sets the `before` of the first `n` accesses to what the words hold now. */
static inline void mz_words_before(struct mz_fiber *self, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++) self->accesses[i].before = *(const uint64_t *)self->accesses[i].object;
}

/* Performs a yield, which others may use to go first. */
MZ_COLD void mz_yield_now(struct mz_fiber *self, uintptr_t caller);

#endif
