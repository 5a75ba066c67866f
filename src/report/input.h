/* SPDX-License-Identifier: MIT
 *
 * Inputs as a person reads them: `x = 17, buf = "ab"`. An input has the text that the trace has for it; where there is
 * none, an argument is the string that main gets, standard input a string of all bytes, an object of 1, 2, 4 or 8 bytes
 * a signed number, and any other a string of all bytes.
 */
#ifndef MZ_REPORT_INPUT_H
#define MZ_REPORT_INPUT_H

#include "report/buffer.h"
#include "trace/trace.h"

/* Adds the value of an input alone. */
void mz_input_value_add(struct mz_buffer *out, const struct mz_trace_input *input);

/* Adds the inputs, separated by commas. Long ones are cut, and so is a long list of them; what is left out is said. */
void mz_input_list_add(struct mz_buffer *out, const struct mz_trace_input *inputs, size_t n);

#endif
