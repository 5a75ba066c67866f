/* SPDX-License-Identifier: MIT
 *
 * Strings of the program under test may have any bytes: here they are made fit to be shown.
 */
#ifndef MZ_REPORT_UNICODE_H
#define MZ_REPORT_UNICODE_H

#include "report/buffer.h"
#include <stdint.h>

/* The code point that starts at `text`, and how many bytes it has. 0 bytes if what is there is not valid UTF-8. */
size_t mz_utf8_decode(const char *text, uint32_t *code);

/* Adds the text as a terminal may have it: control characters and what is not UTF-8 become \n, \t, \x1b. */
void mz_printable_add(struct mz_buffer *buffer, const char *text);

/* How many columns it takes, if every character takes one. */
size_t mz_printable_width(const char *text);

#endif
