/* SPDX-License-Identifier: MIT */
#include "report/input.h"
#include "report/literal.h"
#include "report/unicode.h"

enum { INPUTS_SHOWN = 32 };

/* Adds what main was given. */
static void add_given(struct mz_buffer *out, const struct mz_trace_input *input)
{
	if (input->nth == MZ_INPUT_LENGTH && input->size && input->size <= 8)
		mz_literal_add_integer(out, input->bytes, input->size, false);
	else if (input->nth == MZ_INPUT_STDIN)
		mz_literal_add_string(out, input->bytes, input->size);
	else
		mz_literal_add_text(out, input->bytes, input->size);
}

void mz_input_value_add(struct mz_buffer *out, const struct mz_trace_input *input)
{
	size_t size = input->size;
	if (input->text)
		mz_printable_add(out, input->text);
	else if (input->thread == MZ_NO_THREAD)
		add_given(out, input);
	else if (size == 1 || size == 2 || size == 4 || size == 8)
		mz_literal_add_integer(out, input->bytes, size, true);
	else
		mz_literal_add_string(out, input->bytes, size);
}

void mz_input_list_add(struct mz_buffer *out, const struct mz_trace_input *inputs, size_t n)
{
	size_t shown = n > INPUTS_SHOWN ? INPUTS_SHOWN : n;
	for (size_t i = 0; i < shown; i++) {
		if (i) mz_buffer_add_string(out, ", ");
		mz_printable_add(out, inputs[i].name);
		mz_buffer_add_string(out, " = ");
		mz_input_value_add(out, &inputs[i]);
	}
	if (shown < n) mz_buffer_add(out, " and %zu more", n - shown);
}
