/* SPDX-License-Identifier: MIT
 *
 * There is one buffer, stamped with the execution, the step and the thread that filled it. Threads are switched only at
 * visible operations, which are steps: what a thread wrote since its last one is all there. So no checkpoint has to
 * store the buffer, and every replay fills it in the same way.
 */
#include "runtime/world/said.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include <string.h>

static struct {
	uint64_t generation;
	uint32_t step;
	uint32_t thread;
	struct mz_said by;
} said;

static bool is_by(const struct mz_fiber *self)
{
	return said.generation == mz_rt.generation && said.step == mz_rt.execution.nsteps && said.thread == self->index;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Spaces and ends of lines become one space, none at the start. */
static void append_text(const char *text, size_t size)
{
	for (size_t i = 0; i < size && said.by.length + 1 < sizeof said.by.text; i++) {
		bool space = is_space(text[i]);
		if (space && (!said.by.length || said.by.text[said.by.length - 1] == ' ')) continue;
		said.by.text[said.by.length++] = space ? ' ' : text[i] ? text[i] : '?';
	}
	said.by.text[said.by.length] = 0;
}

static void begin(const struct mz_fiber *self)
{
	said.generation = mz_rt.generation;
	said.step = mz_rt.execution.nsteps;
	said.thread = self->index;
	said.by.length = 0;
}

static void note_text(const char *text, size_t size)
{
	if (!is_by(mz_current)) begin(mz_current);
	append_text(text, size);
}

struct mz_said mz_said_keep(const struct mz_fiber *self)
{
	struct mz_said nothing = {.length = 0};
	return is_by(self) ? said.by : nothing;
}

void mz_said_again(const struct mz_said *kept, const struct mz_fiber *self)
{
	if (!kept->length) return;
	begin(self);
	said.by = *kept;
}

static void note_format(const char *format, va_list arguments)
{
	char text[sizeof said.by.text];
	va_list again;
	va_copy(again, arguments);
	int length = MZ_REAL(vsnprintf)(text, sizeof text, format, again);
	va_end(again);
	if (length > 0) note_text(text, strnlen(text, sizeof text));
}

void mz_said(FILE *stream, const void *text, size_t size)
{
	if (mz_current && stream == stderr) note_text(text, size);
}

void mz_said_format(FILE *stream, const char *format, va_list arguments)
{
	if (mz_current && stream == stderr) note_format(format, arguments);
}

void mz_said_to(int descriptor, const void *text, size_t size)
{
	if (mz_current && descriptor == 2) note_text(text, size);
}

void mz_said_format_to(int descriptor, const char *format, va_list arguments)
{
	if (mz_current && descriptor == 2) note_format(format, arguments);
}

const char *mz_said_last(const struct mz_fiber *self)
{
	if (!is_by(self)) return "";
	if (said.by.length && said.by.text[said.by.length - 1] == ' ') said.by.text[--said.by.length] = 0;
	return said.by.text;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_number(const char *at)
{
	if (at[0] == '0' && at[1] == 'x') {
		at += 2;
		while (is_digit(*at) || (*at >= 'a' && *at <= 'f')) at++;
	}
	while (is_digit(*at)) at++;
	return at;
}

uint64_t mz_said_hash(const char *text)
{
	uint64_t hash = 0;
	while (*text) {
		const char *after = is_digit(*text) ? skip_number(text) : text;
		hash = mz_hash2(hash, after == text ? (uint8_t)*text++ : '0');
		if (after > text) text = after;
	}
	return hash;
}
