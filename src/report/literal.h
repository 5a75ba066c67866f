/* SPDX-License-Identifier: MIT
 *
 * Bytes as a C programmer writes them down.
 */
#ifndef MZ_REPORT_LITERAL_H
#define MZ_REPORT_LITERAL_H

#include "report/buffer.h"
#include <stdint.h>

/* Adds a string, `"ab\0"`. A long one is cut, and its size added. */
void mz_literal_add_string(struct mz_buffer *out, const uint8_t *bytes, size_t size);

/* The same without the NUL bytes at its end: what an array of characters would be initialised with. */
void mz_literal_add_text(struct mz_buffer *out, const uint8_t *bytes, size_t size);

/* Adds a character, `'a'`. One that cannot be shown is a number, negative if it is signed. */
void mz_literal_add_character(struct mz_buffer *out, uint8_t byte, bool is_signed);

/* Adds an integer of 1 to 8 bytes, the lowest first; a larger one as a hexadecimal number. */
void mz_literal_add_integer(struct mz_buffer *out, const uint8_t *bytes, size_t size, bool is_signed);

/* Returns the unsigned integer that up to 8 bytes are, the lowest first. */
uint64_t mz_literal_number(const uint8_t *bytes, size_t size);

#endif
