/* SPDX-License-Identifier: MIT
 *
 * Makes strings of the program under test, which may have any bytes, fit to be shown.
 */
#ifndef MZ_REPORT_UNICODE_H
#define MZ_REPORT_UNICODE_H

#include "report/buffer.h"
#include <stdint.h>

/* Decodes the code point that starts at `text` and returns how many bytes it has; 0 if the bytes are not valid
 * UTF-8. */
size_t mz_utf8_decode(const char *text, uint32_t *code);

/* Adds the text as a terminal may have it: control characters and what is not UTF-8 become \n, \t, \x1b. */
void mz_printable_add(struct mz_buffer *buffer, const char *text);

/* Returns how many columns the text takes, if every character takes one. */
size_t mz_printable_width(const char *text);

#endif
