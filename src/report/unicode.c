/* SPDX-License-Identifier: MIT */
#include "report/unicode.h"
#include <string.h>

/* Returns whether a code point of `length` bytes is valid UTF-8: in its shortest form, no surrogate, at most
 * U+10FFFF. */
static bool is_scalar(uint32_t code, size_t length)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

size_t mz_utf8_decode(const char *text, uint32_t *code)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : at[0] >> 3 == 30 ? 4 : 0;
	*code = length == 1 ? at[0] : at[0] & (0x7f >> length);
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80) return 0;
		*code = *code << 6 | (at[i] & 0x3f);
	}
	return length && is_scalar(*code, length) ? length : 0;
}

/* Returns whether the code point is no control character, neither of ASCII nor of the block above it. */
static bool is_printable(uint32_t code)
{
	return code >= 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0);
}

void mz_printable_add(struct mz_buffer *buffer, const char *text)
{
	uint32_t code;
	while (*text) {
		size_t n = mz_utf8_decode(text, &code);
		if (n && is_printable(code))
			mz_buffer_add_bytes(buffer, text, n);
		else if (*text == '\n')
			mz_buffer_add_string(buffer, "\\n");
		else if (*text == '\t')
			mz_buffer_add_string(buffer, "\\t");
		else
			mz_buffer_add(buffer, "\\x%02x", (unsigned char)*text);
		text += n && is_printable(code) ? n : 1;
	}
}

size_t mz_printable_width(const char *text)
{
	size_t width = 0;
	for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}
