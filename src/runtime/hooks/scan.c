/* SPDX-License-Identifier: MIT
 *
 * Scanning: what was stored counts as plain writes, once it is there, and what was allocated is put on the program's
 * heap. Arguments that are taken in another order than they come (%2$d) are not looked at, nor are wide texts.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/hooks/format.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan_conversion {
	bool stores, allocates;
	int width; /* 0 if none is given */
	size_t size;
	char type;
};

/* Returns the end of a set in brackets; a bracket right after the first one belongs to the set. */
static const char *past_set(const char *at)
{
	if (*at == '^') at++;
	const char *end = *at ? MZ_REAL(strchr)(at + 1, ']') : NULL;
	return end ? end + 1 : at + strlen(at);
}

/* Parses what follows a percent sign. */
static struct scan_conversion parse(const char **at)
{
	struct scan_conversion conversion = {.stores = true};
	for (; **at && strchr("*'I", **at); ++*at)
		if (**at == '*') conversion.stores = false;
	conversion.width = mz_format_number(at);
	if (**at == 'm') {
		conversion.allocates = true;
		++*at;
	}
	conversion.size = mz_format_size(at);
	conversion.type = **at;
	if (**at) ++*at;
	if (conversion.type == '[') *at = past_set(*at);
	if (conversion.type == '%') conversion.stores = false;
	return conversion;
}

static bool is_text(const struct scan_conversion *conversion)
{
	return conversion->type == 's' || conversion->type == '[' || conversion->type == 'c';
}

static size_t stored(const struct scan_conversion *conversion, const void *at)
{
	if (conversion->type == 'c') return conversion->width ? (size_t)conversion->width : 1;
	if (is_text(conversion)) return MZ_REAL(strlen)(at) + 1;
	return conversion->type == 'p' ? sizeof(void *) : conversion->size;
}

static bool is_known(const struct scan_conversion *conversion)
{
	if (is_text(conversion)) return conversion->size == sizeof(int);
	return conversion->type && strchr("diouxXaAeEfFgGpn", conversion->type);
}

/* Replaces a text that the C library has allocated by a copy on the program's heap. */
static void adopt(char **place, const struct scan_conversion *conversion, uintptr_t caller)
{
	char *theirs = *place;
	const struct mz_heap_request request = {.size = stored(conversion, theirs), .caller = caller};
	*place = mz_allocate(&request, MZ_FAULT_MALLOC);
	if (*place) MZ_REAL(memcpy)(*place, theirs, request.size);
	free(theirs);
}

static void store(struct mz_fiber *self, const struct scan_conversion *conversion, void *place, uintptr_t caller)
{
	size_t size = conversion->allocates ? sizeof(char *) : stored(conversion, place);
	if (conversion->allocates) adopt(place, conversion, caller);
	mz_plain(self, (uintptr_t)place, size, true, caller);
}

/* Notes the writes to the first `n` arguments that were stored; positions (%n) do not count among them. */
static void write_arguments(const char *format, va_list list, int n, uintptr_t caller)
{
	va_list arguments;
	if (!mz_current || !mz_image_owns_code(caller)) return;
	va_copy(arguments, list);
	for (const char *at = format; n > 0 && (at = MZ_REAL(strchr)(at, '%'));) {
		at++;
		const struct scan_conversion conversion = parse(&at);
		if (!conversion.stores) continue;
		if (!is_known(&conversion)) break;
		store(mz_current, &conversion, va_arg(arguments, void *), caller);
		if (conversion.type != 'n') n--;
	}
	va_end(arguments);
}

/* Notes a read of the whole text: the C library looks for its end. */
static void read_text(const char *text, uintptr_t caller)
{
	if (mz_current && mz_image_owns_code(caller))
		mz_plain(mz_current, (uintptr_t)text, MZ_REAL(strlen)(text) + 1, false, caller);
}

static void use_stream(FILE *stream, uintptr_t caller)
{
	if (mz_current && mz_image_owns_code(caller))
		mz_shared_file_use_stream(mz_current, stream, MZ_FILE_READS, caller);
	mz_stdin_lose(stream, "scanf", caller);
}

/* Defines a scanning function. `real` is the real one, of the type of `kind`; `first` is done before. */
#define SCAN(name, real, kind, parameters, from, first)                                                                \
	MZ_EXPORT MZ_PASSED_ON int mz_scan_##name parameters __asm__(#name);                                           \
	int mz_scan_##name parameters                                                                                  \
	{                                                                                                              \
		va_list arguments, again;                                                                              \
		first;                                                                                                 \
		va_start(arguments, format);                                                                           \
		va_copy(again, arguments);                                                                             \
		int n = ((__typeof__(&kind))mz_real_find(#real))(from, format, again);                                 \
		va_end(again);                                                                                         \
		write_arguments(format, arguments, n, MZ_CALLER());                                                    \
		va_end(arguments);                                                                                     \
		return n;                                                                                              \
	}
#define VSCAN(name, real, kind, parameters, from, first)                                                               \
	MZ_EXPORT MZ_PASSED_ON int mz_scan_##name parameters __asm__(#name);                                           \
	int mz_scan_##name parameters                                                                                  \
	{                                                                                                              \
		va_list again;                                                                                         \
		first;                                                                                                 \
		va_copy(again, arguments);                                                                             \
		int n = ((__typeof__(&kind))mz_real_find(#real))(from, format, again);                                 \
		va_end(again);                                                                                         \
		write_arguments(format, arguments, n, MZ_CALLER());                                                    \
		return n;                                                                                              \
	}

/* Each function has several names, because the meaning of formats differs between standards. */
#define STANDARD(prefix)                                                                                               \
	SCAN(prefix##sscanf, prefix##vsscanf, vsscanf, (const char *text, const char *format, ...), text,              \
	     read_text(text, MZ_CALLER()))                                                                             \
	SCAN(prefix##fscanf, prefix##vfscanf, vfscanf, (FILE * stream, const char *format, ...), stream,               \
	     use_stream(stream, MZ_CALLER()))                                                                          \
	SCAN(prefix##scanf, prefix##vfscanf, vfscanf, (const char *format, ...), stdin,                                \
	     use_stream(stdin, MZ_CALLER()))                                                                           \
	VSCAN(prefix##vsscanf, prefix##vsscanf, vsscanf, (const char *text, const char *format, va_list arguments),    \
	      text, read_text(text, MZ_CALLER()))                                                                      \
	VSCAN(prefix##vfscanf, prefix##vfscanf, vfscanf, (FILE * stream, const char *format, va_list arguments),       \
	      stream, use_stream(stream, MZ_CALLER()))                                                                 \
	VSCAN(prefix##vscanf, prefix##vfscanf, vfscanf, (const char *format, va_list arguments), stdin,                \
	      use_stream(stdin, MZ_CALLER()))

STANDARD()
STANDARD(__isoc99_)
STANDARD(__isoc23_)
