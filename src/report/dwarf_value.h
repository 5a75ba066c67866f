/* SPDX-License-Identifier: MIT
 *
 * The bytes of an object as its DWARF type has them, in the words of C: `"MAZ!"`, `-2`, `'+'`, `true`, `RED`, `0x7ffe`,
 * `{1, 2}`, `{x = 1, y = 2}`.
 */
#ifndef MZ_REPORT_DWARF_VALUE_H
#define MZ_REPORT_DWARF_VALUE_H

#include "report/buffer.h"
#include <elfutils/libdw.h>
#include <stdint.h>

/* Adds the value of an object of that type, which has `size` bytes. Returns false, with nothing added, if the type has
 * no value that can be told, or another size. What is long is cut, and ends with "...". */
bool mz_dwarf_value_add(struct mz_buffer *text, const Dwarf_Die *type, const uint8_t *bytes, uint64_t size);

/* The same for elements of that type that follow each other: a string if they are characters, else `{1, 2}`. */
bool mz_dwarf_value_add_elements(struct mz_buffer *text, const Dwarf_Die *type, const uint8_t *bytes, uint64_t size);

#endif
