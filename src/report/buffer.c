/* SPDX-License-Identifier: MIT */
#include "report/buffer.h"
#include "base/alloc.h"
#include "base/array.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool reserve(struct mz_buffer *buffer, size_t more)
{
	if (buffer->failed) return false;
	buffer->failed = !mz_array_reserve(&buffer->text, &buffer->capacity, buffer->length + more + 1);
	return !buffer->failed;
}

void mz_buffer_add_bytes(struct mz_buffer *buffer, const char *bytes, size_t n)
{
	if (!reserve(buffer, n)) return;
	memcpy(buffer->text + buffer->length, bytes, n);
	buffer->length += n;
}

void mz_buffer_add_string(struct mz_buffer *buffer, const char *text)
{
	mz_buffer_add_bytes(buffer, text, strlen(text));
}

void mz_buffer_add(struct mz_buffer *buffer, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int n = vsnprintf(NULL, 0, format, arguments);
	if (n >= 0 && reserve(buffer, (size_t)n)) {
		vsnprintf(buffer->text + buffer->length, (size_t)n + 1, format, again);
		buffer->length += (size_t)n;
	}
	va_end(again);
	va_end(arguments);
}

char *mz_buffer_take(struct mz_buffer *buffer)
{
	char *text = NULL;
	if (reserve(buffer, 0)) {
		text = buffer->text;
		text[buffer->length] = '\0';
		buffer->text = NULL;
	}
	mz_buffer_release(buffer);
	return text;
}

void mz_buffer_release(struct mz_buffer *buffer)
{
	mz_free(buffer->text);
	*buffer = (struct mz_buffer){0};
}
