/* SPDX-License-Identifier: MIT */
#include "report/literal.h"
#include <inttypes.h>

enum { BYTES_SHOWN = 64 };

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

static bool is_shown(uint8_t byte)
{
	return byte >= 0x20 && byte <= 0x7e;
}

/* Adds a byte as it stands in a string. An octal number has three digits where a digit follows. */
static void add_byte(struct mz_buffer *out, uint8_t byte, bool before_digit)
{
	if (letter_of(byte))
		mz_buffer_add_string(out, letter_of(byte));
	else if (is_shown(byte))
		mz_buffer_add(out, "%c", byte);
	else
		mz_buffer_add(out, before_digit || byte > 7 ? "\\%03o" : "\\%o", byte);
}

void mz_literal_add_string(struct mz_buffer *out, const uint8_t *bytes, size_t size)
{
	size_t shown = size > BYTES_SHOWN ? BYTES_SHOWN : size;
	mz_buffer_add_string(out, "\"");
	for (size_t i = 0; i < shown; i++) add_byte(out, bytes[i], i + 1 < shown && is_digit(bytes[i + 1]));
	mz_buffer_add_string(out, "\"");
	if (shown < size) mz_buffer_add(out, "... (%zu bytes)", size);
}

void mz_literal_add_text(struct mz_buffer *out, const uint8_t *bytes, size_t size)
{
	while (size && !bytes[size - 1]) size--;
	mz_literal_add_string(out, bytes, size);
}

uint64_t mz_literal_number(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;
	for (size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
	return value;
}

void mz_literal_add_integer(struct mz_buffer *out, const uint8_t *bytes, size_t size, bool is_signed)
{
	if (size > 8) {
		mz_buffer_add_string(out, "0x");
		for (size_t i = size; i-- > 0;) mz_buffer_add(out, "%02x", bytes[i]);
		return;
	}
	uint64_t value = mz_literal_number(bytes, size), sign = 1ULL << (8 * size - 1);
	if (is_signed)
		mz_buffer_add(out, "%" PRId64, (int64_t)((value ^ sign) - sign));
	else
		mz_buffer_add(out, "%" PRIu64, value);
}

void mz_literal_add_character(struct mz_buffer *out, uint8_t byte, bool is_signed)
{
	if (is_shown(byte))
		mz_buffer_add(out, byte == '\'' || byte == '\\' ? "'\\%c'" : "'%c'", byte);
	else
		mz_literal_add_integer(out, &byte, 1, is_signed);
}
