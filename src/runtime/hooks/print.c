/* SPDX-License-Identifier: MIT
 *
 * Printing: into memory of the program, into new memory, to streams and files. The format, the texts that it asks for
 * and what is printed into count as plain accesses. Arguments that are taken in another order than they come (%2$s) are
 * not looked at, nor are wide texts.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "concolic/abi.h"
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/hooks/allocate.h"
#include "runtime/hooks/format.h"
#include "runtime/hooks/kernel.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what a format asks for ---- */

#define MEMORY (-1)

struct print_arguments {
	va_list list;
	int fd; /* what is printed goes there; less than 0: to memory */
};

struct print_conversion {
	int precision; /* less than 0: none was given */
	size_t size;
	char type;
};

/* Parses a number; `*` takes it from the arguments. */
static int parse_number(const char **at, struct print_arguments *arguments)
{
	if (**at == '*') {
		++*at;
		return va_arg(arguments->list, int);
	}
	return mz_format_number(at);
}

/* Parses what follows a percent sign. */
static struct print_conversion parse_conversion(const char **at, struct print_arguments *arguments)
{
	struct print_conversion conversion = {.precision = -1};
	*at += strspn(*at, "-+ #0'I");
	parse_number(at, arguments);
	if (**at == '.') {
		++*at;
		conversion.precision = parse_number(at, arguments);
	}
	conversion.size = mz_format_size(at);
	conversion.type = **at;
	if (**at) ++*at;
	return conversion;
}

static void read_bytes(struct mz_fiber *self, const char *from, size_t size, int fd, uintptr_t caller)
{
	if (fd >= 0)
		mz_plain_output(self, (uintptr_t)from, size, fd, caller);
	else
		mz_plain(self, (uintptr_t)from, size, false, caller);
}

static void read_text(struct mz_fiber *self, const char *text, int precision, int fd, uintptr_t caller)
{
	size_t most = precision < 0 ? SIZE_MAX : (size_t)precision;
	size_t length = text ? MZ_REAL(strnlen)(text, most) : 0;
	if (text && most) read_bytes(self, text, length < most ? length + 1 : most, fd, caller);
}

/* How much was printed may depend on inputs, of numbers as of texts: what is known of that is only that there are inputs. */
static void lose_count(uintptr_t caller)
{
	if (MZ_UNLIKELY(__mz_sym_active)) mz_inputs_lose(MZ_SYM_LOST_OTHER, "what %n stores", mz_lost_place(caller));
}

/* Takes the argument of a conversion, and reads the text that it points to. Returns false if the type is unknown. */
static bool take_argument(struct mz_fiber *self, const struct print_conversion *conversion,
                          struct print_arguments *arguments, uintptr_t caller)
{
	const void *pointer;
	if (!conversion->type) return false;
	if (strchr("%m", conversion->type)) return true;
	if (strchr("diouxXcC", conversion->type)) {
		if (conversion->size > sizeof(int))
			va_arg(arguments->list, long);
		else
			va_arg(arguments->list, int);
	} else if (strchr("aAeEfFgG", conversion->type)) {
		if (conversion->size == sizeof(long double))
			va_arg(arguments->list, long double);
		else
			va_arg(arguments->list, double);
	} else if (strchr("psSn", conversion->type)) {
		pointer = va_arg(arguments->list, void *);
		if (conversion->type == 's' && conversion->size == sizeof(int))
			read_text(self, pointer, conversion->precision, arguments->fd, caller);
		if (conversion->type == 'n') lose_count(caller);
		if (conversion->type == 'n') mz_plain(self, (uintptr_t)pointer, conversion->size, true, caller);
	} else {
		return false;
	}
	return true;
}

static void read_arguments(const char *format, va_list list, int fd, uintptr_t caller)
{
	if (!mz_current || !mz_image_owns_code(caller)) return;
	struct print_arguments arguments = {.fd = fd};
	va_copy(arguments.list, list);
	read_bytes(mz_current, format, MZ_REAL(strlen)(format) + 1, fd, caller);
	for (const char *at = format; (at = MZ_REAL(strchr)(at, '%'));) {
		at++;
		const struct print_conversion conversion = parse_conversion(&at, &arguments);
		if (!take_argument(mz_current, &conversion, &arguments, caller)) break;
	}
	va_end(arguments.list);
	mz_caller_deepens();
}

/* ---- into memory ---- */

static int length_of(const char *format, va_list arguments)
{
	va_list again;
	va_copy(again, arguments);
	int length = MZ_REAL(vsnprintf)(NULL, 0, format, again);
	va_end(again);
	return length;
}

/* Prints to memory. The text is formatted twice, because its length has to be known before it is written. */
static int print(char *to, size_t room, const char *format, va_list arguments, uintptr_t caller)
{
	read_arguments(format, arguments, MEMORY, caller);
	if (mz_current && mz_image_owns_code(caller)) {
		int length = length_of(format, arguments);
		size_t size = length < 0 ? 0 : (size_t)length + 1;
		mz_plain(mz_current, (uintptr_t)to, size < room ? size : room, true, caller);
	}
	return MZ_REAL(vsnprintf)(to, room, format, arguments);
}

#define NO_LIMIT ((size_t)INT32_MAX) /* vsnprintf takes no more */

#define PRINT(name, parameters, last, room)                                                                            \
	MZ_EXPORT int mz_print_##name parameters __asm__(#name);                                                       \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, last);                                                                             \
		int length = print(to, room, format, arguments, MZ_CALLER());                                          \
		va_end(arguments);                                                                                     \
		return length;                                                                                         \
	}
#define VPRINT(name, parameters, room)                                                                                 \
	MZ_EXPORT int mz_print_##name parameters __asm__(#name);                                                       \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		return print(to, room, format, arguments, MZ_CALLER());                                                \
	}

PRINT(sprintf, (char *to, const char *format, ...), format, NO_LIMIT)
PRINT(snprintf, (char *to, size_t size, const char *format, ...), format, size)
VPRINT(vsprintf, (char *to, const char *format, va_list arguments), NO_LIMIT)
VPRINT(vsnprintf, (char *to, size_t size, const char *format, va_list arguments), size)

/* Prints to memory as _FORTIFY_SOURCE does, which knows how much room there is. Checks of the format are left out. */
static int print_checked(char *to, size_t size, size_t room, const char *format, va_list arguments, uintptr_t caller)
{
	if (size != NO_LIMIT && size > room) __builtin_trap();
	int length = print(to, size < room ? size : room, format, arguments, caller);
	if (size == NO_LIMIT && length >= 0 && (size_t)length >= room) __builtin_trap();
	return length;
}

#define UNUSED __attribute__((unused))

#define PRINT_CHECKED(name, parameters, size)                                                                          \
	MZ_EXPORT int mz_print_##name parameters __asm__(#name);                                                       \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, format);                                                                           \
		int length = print_checked(to, size, room, format, arguments, MZ_CALLER());                            \
		va_end(arguments);                                                                                     \
		return length;                                                                                         \
	}
#define VPRINT_CHECKED(name, parameters, size)                                                                         \
	MZ_EXPORT int mz_print_##name parameters __asm__(#name);                                                       \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		return print_checked(to, size, room, format, arguments, MZ_CALLER());                                  \
	}

PRINT_CHECKED(__sprintf_chk, (char *to, int flag UNUSED, size_t room, const char *format, ...), NO_LIMIT)
PRINT_CHECKED(__snprintf_chk, (char *to, size_t most, int flag UNUSED, size_t room, const char *format, ...), most)
VPRINT_CHECKED(__vsprintf_chk, (char *to, int flag UNUSED, size_t room, const char *format, va_list arguments),
               NO_LIMIT)
VPRINT_CHECKED(__vsnprintf_chk,
               (char *to, size_t most, int flag UNUSED, size_t room, const char *format, va_list arguments), most)

MZ_EXPORT int __mz_sym_print(char *to, uint64_t size, uint64_t room, const char *format, va_list arguments,
                             const void *code)
{
	return print_checked(to, size, room, format, arguments, (uintptr_t)code);
}

/* ---- into new memory ---- */

static int print_new(char **to, const char *format, va_list arguments, uintptr_t caller)
{
	if (!mz_allocates_for(caller)) return MZ_REAL(vasprintf)(to, format, arguments);
	read_arguments(format, arguments, MEMORY, caller);
	int length = length_of(format, arguments);
	if (length < 0) return length;
	const struct mz_heap_request request = {.size = (size_t)length + 1, .caller = caller};
	*to = mz_allocate(&request, MZ_FAULT_MALLOC);
	return *to ? MZ_REAL(vsnprintf)(*to, (size_t)length + 1, format, arguments) : -1;
}

#define PRINT_NEW(name, parameters)                                                                                    \
	MZ_EXPORT int mz_print_##name parameters __asm__(#name);                                                       \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, format);                                                                           \
		int length = print_new(to, format, arguments, MZ_CALLER());                                            \
		va_end(arguments);                                                                                     \
		return length;                                                                                         \
	}

PRINT_NEW(asprintf, (char **to, const char *format, ...))
PRINT_NEW(__asprintf_chk, (char **to, int flag UNUSED, const char *format, ...))

MZ_EXPORT int mz_print_vasprintf(char **to, const char *format, va_list arguments) __asm__("vasprintf");
int mz_print_vasprintf(char **to, const char *format, va_list arguments)
{
	return print_new(to, format, arguments, MZ_CALLER());
}

/* ---- to streams and files: the variants of _FORTIFY_SOURCE are done without their checks ---- */

static int print_to_stream(FILE *stream, const char *format, va_list arguments, uintptr_t caller)
{
	if (MZ_SELF()) mz_shared_file_use_stream(mz_current, stream, MZ_FILE_WRITES | MZ_FILE_MOVES, caller);
	return MZ_REAL(vfprintf)(stream, format, arguments);
}

/* Returns how many bytes were written, or -1. */
static int write_all(struct mz_fiber *self, int number, const char *text, int length, uintptr_t caller)
{
	for (int written = 0; written < length;) {
		ssize_t now = mz_channel_write(self, number, text + written, (size_t)(length - written), caller);
		if (now < 0) return -1;
		written += (int)now;
	}
	return length;
}

#define SHORT_TEXT 4096 /* printed from the stack; a longer text from a block of the program's, as in the C library */

static int print_to_channel(struct mz_fiber *self, int number, const char *format, va_list arguments, uintptr_t caller)
{
	char room[SHORT_TEXT];
	int length = length_of(format, arguments);
	if (length < 0) return length;
	const struct mz_heap_request request = {.size = (size_t)length + 1, .caller = caller};
	char *text = length < SHORT_TEXT ? room : mz_allocate(&request, MZ_FAULT_MALLOC);
	if (!text) return -1;
	MZ_REAL(vsnprintf)(text, (size_t)length + 1, format, arguments);
	length = write_all(self, number, text, length, caller);
	if (text != room) mz_release(text, &(struct mz_heap_release){.caller = caller});
	return length;
}

static int print_to_number(int number, const char *format, va_list arguments, uintptr_t caller)
{
	struct mz_fiber *self = MZ_SELF();
	if (self && mz_descriptor_is_ours(number)) return print_to_channel(self, number, format, arguments, caller);
	if (self) mz_shared_file_use(self, number, MZ_FILE_WRITES | MZ_FILE_MOVES, caller);
	return MZ_REAL(vdprintf)(number, format, arguments);
}

static int itself(int number)
{
	return number;
}

/* The functions for a stream, and for a descriptor: the first prints, the second returns the descriptor, the third notes
 * what is said on standard error. */
#define PRINTING(to) _Generic((to), FILE * : print_to_stream, int : print_to_number)
#define NUMBER_OF(to) _Generic((to), FILE * : fileno_unlocked, int : itself)
#define HEARING(to) _Generic((to), FILE * : mz_said_format, int : mz_said_format_to)

/* Defines a function that prints to the stream or descriptor `to`. */
#define PRINT_TO(name, parameters, to)                                                                                 \
	MZ_EXPORT MZ_PASSED_ON int mz_print_##name parameters __asm__(#name);                                          \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, format);                                                                           \
		read_arguments(format, arguments, NUMBER_OF(to)(to), MZ_CALLER());                                     \
		HEARING(to)(to, format, arguments);                                                                    \
		int length = PRINTING(to)(to, format, arguments, MZ_CALLER());                                         \
		va_end(arguments);                                                                                     \
		return length;                                                                                         \
	}
#define VPRINT_TO(name, parameters, to)                                                                                \
	MZ_EXPORT MZ_PASSED_ON int mz_print_##name parameters __asm__(#name);                                          \
	int mz_print_##name parameters                                                                                 \
	{                                                                                                              \
		read_arguments(format, arguments, NUMBER_OF(to)(to), MZ_CALLER());                                     \
		HEARING(to)(to, format, arguments);                                                                    \
		return PRINTING(to)(to, format, arguments, MZ_CALLER());                                               \
	}
PRINT_TO(printf, (const char *format, ...), stdout)
PRINT_TO(fprintf, (FILE * stream, const char *format, ...), stream)
PRINT_TO(dprintf, (int number, const char *format, ...), number)
PRINT_TO(__printf_chk, (int flag UNUSED, const char *format, ...), stdout)
PRINT_TO(__fprintf_chk, (FILE * stream, int flag UNUSED, const char *format, ...), stream)
PRINT_TO(__dprintf_chk, (int number, int flag UNUSED, const char *format, ...), number)
VPRINT_TO(vprintf, (const char *format, va_list arguments), stdout)
VPRINT_TO(vfprintf, (FILE * stream, const char *format, va_list arguments), stream)
VPRINT_TO(vdprintf, (int number, const char *format, va_list arguments), number)
VPRINT_TO(__vprintf_chk, (int flag UNUSED, const char *format, va_list arguments), stdout)
VPRINT_TO(__vfprintf_chk, (FILE * stream, int flag UNUSED, const char *format, va_list arguments), stream)
VPRINT_TO(__vdprintf_chk, (int number, int flag UNUSED, const char *format, va_list arguments), number)

MZ_EXPORT int __mz_sym_print_stream(void *stream, const char *format, va_list arguments, const void *code)
{
	read_arguments(format, arguments, fileno_unlocked(stream), (uintptr_t)code);
	mz_said_format(stream, format, arguments);
	return print_to_stream(stream, format, arguments, (uintptr_t)code);
}
