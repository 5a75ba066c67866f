/* SPDX-License-Identifier: MIT
 *
 * Inputs as a person reads them: `x = 17, buf = "ab\0"`. An input of 1, 2, 4 or 8 bytes is a signed number, any other a
 * string of C.
 */
#ifndef MZ_REPORT_INPUT_H
#define MZ_REPORT_INPUT_H

#include "report/buffer.h"
#include "trace/trace.h"

/* Adds the inputs, separated by commas. Long ones are cut, and so is a long list of them; what is left out is said. */
void mz_input_list_add(struct mz_buffer *out, const struct mz_trace_input *inputs, size_t n);

#endif
