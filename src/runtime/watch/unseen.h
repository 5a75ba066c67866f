/* SPDX-License-Identifier: MIT
 *
 * Writes that nobody sees: inline assembly, and code that is not instrumented. Where a visible operation finds another
 * value than the last one left, or than was there before main, and no plain write was seen either, somebody else has
 * written. Such a write is in no event, so that orders which it would make different may not be explored: it is listed
 * as uncontrolled, once per run, with the place of the operation that found it.
 *
 * Looked at are atomic operations and volatile accesses of up to 8 bytes, in variables and on the heap, as long as data
 * races are looked for. Others are not: functions of the C library, and ours, give results in plain variables.
 */
#ifndef MZ_RUNTIME_WATCH_UNSEEN_H
#define MZ_RUNTIME_WATCH_UNSEEN_H

#include "runtime/core/core.h"

/* Turns the checks of this file off for good: the program has asked that a write be ignored, which cannot be told from
 * a write that nobody saw. */
MZ_COLD void mz_unseen_ignore(void);

/* Called when a visible operation finds another value than is known, or none is known: lists an unseen write unless
 * something explains the value. */
MZ_COLD void mz_unseen_differs(struct mz_object *object, size_t size, uint64_t value, uintptr_t caller);

/* Notes the value that a visible access has left. */
static inline void mz_unseen_wrote(struct mz_object *object, size_t size, uint64_t value)
{
	object->seen = value;
	object->seen_size = (uint8_t)size;
}

/* Compares the value that a visible access of up to 8 bytes reads with what is known, and notes it. */
static inline void mz_unseen_read(struct mz_object *object, size_t size, uint64_t value, uintptr_t caller)
{
	if (MZ_LIKELY(object->seen_size == size && object->seen == value)) return;
	mz_unseen_differs(object, size, value, caller);
	mz_unseen_wrote(object, size, value);
}

/* Notes that a visible access has written, or is about to write, an unknown value, or more than one word. */
static inline void mz_unseen_forget(struct mz_object *object, size_t size)
{
	object->seen_size = MZ_SEEN_UNKNOWN;
	for (size_t at = 8; at < size; at += 8) mz_object_find(object->address + at)->seen_size = MZ_SEEN_UNKNOWN;
}

/* Returns up to 8 bytes as a number. */
static inline uint64_t mz_unseen_number(const void *bytes, size_t size)
{
	switch (size) {
	case 1: return *(const uint8_t *)bytes;
	case 2: return *(const uint16_t *)bytes;
	case 4: return *(const uint32_t *)bytes;
	case 8: return *(const uint64_t *)bytes;
	}
	uint64_t number = 0;
	for (size_t i = 0; i < size; i++) number |= (uint64_t)((const uint8_t *)bytes)[i] << i * 8;
	return number;
}

#endif
