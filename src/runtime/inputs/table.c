/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/table.h"
#include "runtime/inputs/values.h"
#include <stdio.h>
#include <string.h>

static bool is_named(const struct mz_session_input *input, const char *name)
{
	return strncmp(input->name, name ? name : "", sizeof input->name - 1) == 0;
}

static bool is(const struct mz_session_input *input, uint32_t thread, uint32_t nth, size_t size, const char *name)
{
	return input->thread == thread && input->nth == nth && input->size == size && is_named(input, name);
}

struct mz_session_input *mz_input_find(uint32_t thread, uint32_t nth, size_t size, const char *name)
{
	struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	static uint32_t next; /* executions mark inputs in much the same order */
	if (next < inputs->count && is(&inputs->inputs[next], thread, nth, size, name)) return &inputs->inputs[next++];
	for (uint32_t n = 0; n < inputs->count; n++) {
		if (!is(&inputs->inputs[n], thread, nth, size, name)) continue;
		next = n + 1;
		return &inputs->inputs[n];
	}
	return NULL;
}

bool mz_input_fits(size_t size, size_t most)
{
	const struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	return inputs->count < MZ_SESSION_INPUTS && size <= most && inputs->nbytes <= most - size;
}

void mz_input_set(uint32_t n, uint32_t thread, uint32_t nth, size_t size, const char *name)
{
	struct mz_session_inputs *inputs = &mz_rt.session->inputs;
	if (n < inputs->count) {
		if (is(&inputs->inputs[n], thread, nth, size, name)) return;
		inputs->count = n;
		inputs->nbytes = inputs->inputs[n].first;
	}
	if (!mz_input_fits(size, MZ_SESSION_INPUT_BYTES)) mz_unsupported("the table of inputs was overwritten");
	struct mz_session_input *input = &inputs->inputs[inputs->count];
	*input =
	    (struct mz_session_input){.thread = thread, .nth = nth, .first = inputs->nbytes, .size = (uint32_t)size};
	snprintf(input->name, sizeof input->name, "%s", name ? name : "");
	inputs->count++;
	inputs->nbytes += (uint32_t)size;
	if (mz_inputs_space) mz_inputs_space->nbytes = inputs->nbytes;
}
