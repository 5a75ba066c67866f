/* SPDX-License-Identifier: MIT */
#include "report/input.h"
#include "report/unicode.h"
#include <inttypes.h>

enum { BYTES_SHOWN = 64, INPUTS_SHOWN = 32 };

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

static const char *letter_of(uint8_t byte)
{
	switch (byte) {
	case '\\': return "\\\\";
	case '"': return "\\\"";
	case '\n': return "\\n";
	case '\t': return "\\t";
	case '\r': return "\\r";
	default: return NULL;
	}
}

/* Adds a byte as it stands in a string of C. An octal number has three digits where a digit follows. */
static void add_byte(struct mz_buffer *out, uint8_t byte, bool before_digit)
{
	if (letter_of(byte))
		mz_buffer_add_string(out, letter_of(byte));
	else if (byte >= 0x20 && byte <= 0x7e)
		mz_buffer_add(out, "%c", byte);
	else
		mz_buffer_add(out, before_digit || byte > 7 ? "\\%03o" : "\\%o", byte);
}

static void add_string(struct mz_buffer *out, const uint8_t *bytes, size_t size)
{
	size_t shown = size > BYTES_SHOWN ? BYTES_SHOWN : size;
	mz_buffer_add_string(out, "\"");
	for (size_t i = 0; i < shown; i++) add_byte(out, bytes[i], i + 1 < shown && is_digit(bytes[i + 1]));
	mz_buffer_add_string(out, "\"");
	if (shown < size) mz_buffer_add(out, "... (%zu bytes)", size);
}

static void add_number(struct mz_buffer *out, const uint8_t *bytes, size_t size)
{
	uint64_t value = 0, sign = 1ULL << (8 * size - 1);
	for (size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
	mz_buffer_add(out, "%" PRId64, (int64_t)((value ^ sign) - sign));
}

static void add_input(struct mz_buffer *out, const struct mz_trace_input *input)
{
	size_t size = input->size;
	mz_printable_add(out, input->name);
	mz_buffer_add_string(out, " = ");
	if (size == 1 || size == 2 || size == 4 || size == 8)
		add_number(out, input->bytes, size);
	else
		add_string(out, input->bytes, size);
}

void mz_input_list_add(struct mz_buffer *out, const struct mz_trace_input *inputs, size_t n)
{
	size_t shown = n > INPUTS_SHOWN ? INPUTS_SHOWN : n;
	for (size_t i = 0; i < shown; i++) {
		if (i) mz_buffer_add_string(out, ", ");
		add_input(out, &inputs[i]);
	}
	if (shown < n) mz_buffer_add(out, " and %zu more", n - shown);
}
