/* SPDX-License-Identifier: MIT
 *
 * Turns an offset into a variable into the words that a C programmer would use for it, by means of the variable's DWARF
 * type.
 */
#ifndef MZ_REPORT_DWARF_TYPE_H
#define MZ_REPORT_DWARF_TYPE_H

#include "report/buffer.h"
#include <elfutils/libdw.h>
#include <stdint.h>

/* Finds the type of a variable or member. Returns false if it has none. */
bool mz_dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Adds `[3].head`, `.lock`, `+12` or nothing: where in an object of that type an access of `length` bytes (0: unknown)
 * at `offset` starts. Members whose names are reserved for the C library are not gone into. */
void mz_dwarf_type_path(const Dwarf_Die *type, uint64_t offset, uint64_t length, struct mz_buffer *path);

#endif
