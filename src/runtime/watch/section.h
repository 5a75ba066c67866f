/* SPDX-License-Identifier: MIT
 *
 * What an atomic section touches (schedule/section.c has the section itself): the union of the accesses of all
 * operations in it, and of its plain accesses. Of an object there are at most two accesses, one for the bytes that are
 * written and one for those that are only read.
 *
 * For data races, a section comes after those before it that wrote what it touches: each byte has a clock, which
 * sections that touch the byte acquire, and to which sections that write it add when they end. Sections that do not
 * conflict learn nothing of each other, so data races stay a function of the trace.
 */
#ifndef MZ_RUNTIME_WATCH_SECTION_H
#define MZ_RUNTIME_WATCH_SECTION_H

#include "runtime/core/core.h"

/* Begins a section of SELF, which touches nothing yet. What SELF has awaited to begin it is in self->accesses. */
void mz_section_start(struct mz_fiber *self);
/* Adds accesses of an operation, or a plain access that is about to be made. */
void mz_section_add(struct mz_fiber *self, const struct mz_access *accesses, uint16_t count);
void mz_section_touch(struct mz_fiber *self, uintptr_t address, size_t size, bool write, uintptr_t caller);
/* Ends the section: puts its accesses into self->accesses, and returns how many there are. */
uint16_t mz_section_collect(struct mz_fiber *self);

#endif
