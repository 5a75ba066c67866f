/* SPDX-License-Identifier: MIT
 *
 * Printing integers, characters and texts. The function itself prints, and announces what it reads and writes; before that,
 * the model composes the same text in memory of its own, with the shadows of what goes into it: it branches on how many
 * digits a number has, where a text ends, and so on what the function will return. Then it gives the shadows to what was
 * printed. Formats that ask for anything else (floating point, wide characters, %n), and texts of more than 4096 bytes
 * are left to the function; what they depend on is counted as lost.
 */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#undef _FORTIFY_SOURCE
#include "concolic/models/models.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#define LONGEST 4096
#define NO_LIMIT ((size_t)INT32_MAX)

/* ---- formats ---- */

struct conversion {
	bool left, plus, space, alternative, zero;
	int width, precision; /* precision less than 0: none is given */
	unsigned size;        /* in bytes, of an integer */
	char type;
	bool is_fixed; /* width and precision depend on no input */
};

static unsigned read_number(const char **at)
{
	unsigned number = 0;
	for (; **at >= '0' && **at <= '9'; ++*at)
		if (number < LONGEST) number = number * 10 + (unsigned)(**at - '0');
	return number;
}

static void read_flags(const char **at, struct conversion *conversion)
{
	for (;; ++*at) {
		switch (**at) {
		case '-': conversion->left = true; break;
		case '+': conversion->plus = true; break;
		case ' ': conversion->space = true; break;
		case '#': conversion->alternative = true; break;
		case '0': conversion->zero = true; break;
		default: return;
		}
	}
}

static unsigned read_size(const char **at)
{
	unsigned size = 4;
	if (**at == 'h') {
		size = (*at)[1] == 'h' ? 1 : 2;
		*at += size == 1 ? 2 : 1;
	} else if (**at == 'l') {
		size = 8;
		*at += (*at)[1] == 'l' ? 2 : 1;
	} else if (**at == 'j' || **at == 'z' || **at == 't' || **at == 'q') {
		size = 8;
		++*at;
	}
	return size;
}

/* A width or precision that depends on inputs is not followed. */
static int read_argument(struct conversion *conversion, int argument)
{
	conversion->is_fixed &= KNOWN(argument) && argument > -LONGEST && argument < LONGEST;
	return conversion->is_fixed ? argument : 0;
}

struct list {
	va_list arguments;
};

static int read_width(const char **at, struct conversion *conversion, struct list *list)
{
	if (**at != '*') return (int)read_number(at);
	++*at;
	return read_argument(conversion, va_arg(list->arguments, int));
}

/* Parses what follows a percent sign. */
static struct conversion parse(const char **at, struct list *list)
{
	struct conversion conversion = {.precision = -1, .is_fixed = true};
	read_flags(at, &conversion);
	conversion.width = read_width(at, &conversion, list);
	if (conversion.width < 0) {
		conversion.left = true;
		conversion.width = -conversion.width;
	}
	if (**at == '.') {
		++*at;
		conversion.precision = read_width(at, &conversion, list);
		if (conversion.precision < 0) conversion.precision = -1;
	}
	conversion.size = read_size(at);
	conversion.type = **at;
	if (**at) ++*at;
	return conversion;
}

static bool is_one_of(char c, const char *characters)
{
	for (; *characters; characters++)
		if (*characters == c) return true;
	return false;
}

/* ---- whether there is anything to follow ---- */

enum need { NOTHING, FOLLOW, LOSE };

static size_t most_of(const struct conversion *conversion)
{
	return conversion->precision < 0 ? SIZE_MAX : (size_t)conversion->precision;
}

static bool text_depends(const char *text, const struct conversion *conversion, const void *code)
{
	size_t most = most_of(conversion), length;
	if (!text) return false;
	length = __mz_sym_length(text, most, code);
	return __mz_sym_depends(text, length < most ? length + 1 : most);
}

/* Takes the argument of a conversion. Returns false if it is not modelled; `*depends` is set if it depends on inputs. */
static bool look_at(const struct conversion *conversion, struct list *list, bool *depends, const void *code)
{
	if (conversion->type == '%') return true;
	if (!conversion->is_fixed || !conversion->type) return false;
	if (is_one_of(conversion->type, "diouxX")) {
		if (conversion->size == 8)
			*depends |= !KNOWN(va_arg(list->arguments, long));
		else
			*depends |= !KNOWN(va_arg(list->arguments, int));
		return true;
	}
	if (conversion->size != 4) return false;
	if (conversion->type == 'c') {
		*depends |= !KNOWN(va_arg(list->arguments, int));
	} else if (conversion->type == 's') {
		*depends |= text_depends(va_arg(list->arguments, const char *), conversion, code);
	} else if (conversion->type == 'p') {
		return KNOWN(va_arg(list->arguments, void *));
	} else {
		return false;
	}
	return true;
}

static enum need needs(const char *format, struct list *list, const void *code)
{
	bool depends = false;
	for (const char *at = format; *at;) {
		if (*at++ != '%') continue;
		const struct conversion conversion = parse(&at, list);
		if (!look_at(&conversion, list, &depends, code)) return LOSE;
	}
	return depends ? FOLLOW : NOTHING;
}

/* ---- composing ---- */

struct text {
	char *bytes;
	size_t length; /* may be more than LONGEST: then the rest is left out */
};

static void add(struct text *text, char c)
{
	if (text->length < LONGEST) text->bytes[text->length] = c;
	text->length++;
}

static void add_all(struct text *text, char c, int count)
{
	for (; count > 0; count--) add(text, c);
}

/* Returns how many digits the number has, and in `*power` the number that has a 1 and as many digits. */
static int count_digits(unsigned long number, unsigned base, unsigned long *power)
{
	int n = 1;
	for (*power = 1; *power <= ULONG_MAX / base && number >= *power * base; *power *= base) n++;
	return n;
}

/* Adds the digits; small numbers are computed with as such, which makes simpler expressions. No digit is a branch. */
static void add_digits(struct text *text, unsigned long number, unsigned base, unsigned long power, bool capital)
{
	for (; power; power /= base) {
		unsigned digit = power <= UINT32_MAX && number <= UINT32_MAX ? (uint32_t)number / (uint32_t)power % base
		                                                             : (unsigned)(number / power % base);
		add(text, (char)('0' + digit + (digit > 9) * ((capital ? 'A' : 'a') - '0' - 10U)));
	}
}

struct number {
	char sign; /* 0: none */
	unsigned long amount;
	unsigned base;
};

static unsigned long narrow_unsigned(unsigned long value, unsigned size)
{
	return size == 1   ? (unsigned char)value
	       : size == 2 ? (unsigned short)value
	       : size == 4 ? (unsigned)value
	                   : value;
}

static long narrow_signed(unsigned long value, unsigned size)
{
	return size == 1 ? (signed char)value : size == 2 ? (short)value : size == 4 ? (int)value : (long)value;
}

static struct number number_of(const struct conversion *conversion, unsigned long value)
{
	struct number number = {.base = 10};
	if (conversion->type == 'd' || conversion->type == 'i') {
		long n = narrow_signed(value, conversion->size);
		number.sign = n < 0 ? '-' : conversion->plus ? '+' : conversion->space ? ' ' : 0;
		number.amount = number.sign == '-' ? -(unsigned long)n : (unsigned long)n;
		return number;
	}
	number.base = conversion->type == 'o' ? 8 : conversion->type == 'u' ? 10 : 16;
	number.amount = narrow_unsigned(value, conversion->size);
	return number;
}

static void add_number(struct text *text, const struct conversion *conversion, const struct number *number)
{
	unsigned long power = 0;
	bool matters = conversion->precision == 0 || conversion->alternative;
	bool is_zero = matters && number->amount == 0,
	     is_hexadecimal = number->base == 16 && conversion->alternative && !is_zero;
	int digits = is_zero && conversion->precision == 0 ? 0 : count_digits(number->amount, number->base, &power);
	int zeros = conversion->precision > digits ? conversion->precision - digits : 0;
	if (number->base == 8 && conversion->alternative && zeros == 0 && (!is_zero || digits == 0)) zeros = 1;
	int used = digits + zeros + (number->sign != 0) + 2 * is_hexadecimal;
	int padding = conversion->width > used ? conversion->width - used : 0;
	if (conversion->zero && !conversion->left && conversion->precision < 0) {
		zeros += padding;
		padding = 0;
	}
	if (!conversion->left) add_all(text, ' ', padding);
	if (number->sign) add(text, number->sign);
	if (is_hexadecimal) {
		add(text, '0');
		add(text, conversion->type == 'X' ? 'X' : 'x');
	}
	add_all(text, '0', zeros);
	if (digits) add_digits(text, number->amount, number->base, power, conversion->type == 'X');
	if (conversion->left) add_all(text, ' ', padding);
}

/* A text that is not there is printed if there is room for the whole word. */
static void add_text(struct text *text, const struct conversion *conversion, const char *from)
{
	size_t most = most_of(conversion), length = 0;
	if (!from) from = conversion->precision < 0 || conversion->precision >= 6 ? "(null)" : "";
	while (length < most && from[length]) length++;
	int padding = length < (size_t)conversion->width ? conversion->width - (int)length : 0;
	if (!conversion->left) add_all(text, ' ', padding);
	for (size_t i = 0; i < length; i++) add(text, from[i]);
	if (conversion->left) add_all(text, ' ', padding);
}

static void add_pointer(struct text *text, struct conversion conversion, const void *pointer)
{
	if (!pointer) {
		conversion.precision = -1;
		add_text(text, &conversion, "(nil)");
		return;
	}
	conversion.alternative = true;
	char sign = conversion.plus ? '+' : conversion.space ? ' ' : 0;
	add_number(text, &conversion, &(struct number){sign, (unsigned long)pointer, 16});
}

static void add_character(struct text *text, const struct conversion *conversion, char c)
{
	int padding = conversion->width > 1 ? conversion->width - 1 : 0;
	if (!conversion->left) add_all(text, ' ', padding);
	add(text, c);
	if (conversion->left) add_all(text, ' ', padding);
}

static void add_conversion(struct text *text, const struct conversion *conversion, struct list *list)
{
	struct number number;
	switch (conversion->type) {
	case '%': add(text, '%'); break;
	case 'c': add_character(text, conversion, (char)va_arg(list->arguments, int)); break;
	case 's': add_text(text, conversion, va_arg(list->arguments, const char *)); break;
	case 'p': add_pointer(text, *conversion, va_arg(list->arguments, void *)); break;
	default:
		number =
		    number_of(conversion, conversion->size == 8 ? va_arg(list->arguments, unsigned long)
		                                                : (unsigned long)(long)va_arg(list->arguments, int));
		add_number(text, conversion, &number);
	}
}

static void compose(struct text *text, const char *format, struct list *list)
{
	for (const char *at = format; *at;) {
		if (*at != '%') {
			add(text, *at++);
			continue;
		}
		at++;
		const struct conversion conversion = parse(&at, list);
		add_conversion(text, &conversion, list);
	}
}

/* Composes the text, if it depends on inputs, and decides how long it is. */
static enum need prepare(struct text *text, const char *format, va_list arguments, const char *name, const void *code)
{
	struct list list;
	va_copy(list.arguments, arguments);
	enum need need = needs(format, &list, code);
	va_end(list.arguments);
	if (need == FOLLOW) {
		va_copy(list.arguments, arguments);
		compose(text, format, &list);
		va_end(list.arguments);
		if (text->length > LONGEST) need = LOSE;
	}
	if (need == LOSE) __mz_sym_lose_list(arguments, name, code);
	return need;
}

/* ---- printing ---- */

struct target {
	const char *name; /* of the function */
	char *to;
	size_t size,
	    room;     /* the most that is printed, with the end; and how much room there is, as far as that is known */
	FILE *stream; /* if `to` is NULL */
	const void *code;
};

static int print(const struct target *target, const char *format, va_list arguments)
{
	if (target->stream) return __mz_sym_print_stream(target->stream, format, arguments, target->code);
	return __mz_sym_print(target->to, target->size, target->room, format, arguments, target->code);
}

static int print_followed(const struct target *target, const char *format, va_list arguments)
{
	char bytes[LONGEST];
	struct text text = {.bytes = bytes};
	enum need need = prepare(&text, format, arguments, target->name, target->code);
	if (need != NOTHING && target->stream) __mz_sym_printed((unsigned long)target->stream, 1);
	__mz_sym_tells(need != FOLLOW);
	int length = print(target, format, arguments);
	__mz_sym_tells(true);
	size_t most = target->size ? target->size - 1 : 0;
	if (need == FOLLOW && !target->stream)
		__mz_sym_resemble(target->to, bytes, text.length < most ? text.length : most, target->code);
	__mz_sym_forget(bytes, sizeof bytes);
	return length;
}

static int MODEL(print)(const struct target *target, const char *format, va_list arguments)
{
	return CONCRETE ? print(target, format, arguments) : print_followed(target, format, arguments);
}

#define UNUSED __attribute__((unused))
#define TO_MEMORY(name, size, room) (&(struct target){#name, to, size, room, NULL, __builtin_return_address(0)})
#define TO_STREAM(name, stream) (&(struct target){#name, NULL, 0, 0, stream, __builtin_return_address(0)})

#define PRINT(name, parameters, target)                                                                                \
	int MODEL(name) parameters;                                                                                    \
	int MODEL(name) parameters                                                                                     \
	{                                                                                                              \
		va_list arguments;                                                                                     \
		va_start(arguments, format);                                                                           \
		int length = MODEL(print)(target, format, arguments);                                                  \
		va_end(arguments);                                                                                     \
		return length;                                                                                         \
	}
#define VPRINT(name, parameters, target)                                                                               \
	int MODEL(name) parameters;                                                                                    \
	int MODEL(name) parameters                                                                                     \
	{                                                                                                              \
		return MODEL(print)(target, format, arguments);                                                        \
	}

PRINT(sprintf, (char *to, const char *format, ...), TO_MEMORY(sprintf, NO_LIMIT, SIZE_MAX))
PRINT(snprintf, (char *to, size_t size, const char *format, ...), TO_MEMORY(snprintf, size, SIZE_MAX))
VPRINT(vsprintf, (char *to, const char *format, va_list arguments), TO_MEMORY(vsprintf, NO_LIMIT, SIZE_MAX))
VPRINT(vsnprintf, (char *to, size_t size, const char *format, va_list arguments), TO_MEMORY(vsnprintf, size, SIZE_MAX))
PRINT(__sprintf_chk, (char *to, int flag UNUSED, size_t room, const char *format, ...),
      TO_MEMORY(sprintf, NO_LIMIT, room))
PRINT(__snprintf_chk, (char *to, size_t size, int flag UNUSED, size_t room, const char *format, ...),
      TO_MEMORY(snprintf, size, room))
VPRINT(__vsprintf_chk, (char *to, int flag UNUSED, size_t room, const char *format, va_list arguments),
       TO_MEMORY(vsprintf, NO_LIMIT, room))
VPRINT(__vsnprintf_chk, (char *to, size_t size, int flag UNUSED, size_t room, const char *format, va_list arguments),
       TO_MEMORY(vsnprintf, size, room))
PRINT(printf, (const char *format, ...), TO_STREAM(printf, stdout))
PRINT(fprintf, (FILE * stream, const char *format, ...), TO_STREAM(fprintf, stream))
VPRINT(vprintf, (const char *format, va_list arguments), TO_STREAM(vprintf, stdout))
VPRINT(vfprintf, (FILE * stream, const char *format, va_list arguments), TO_STREAM(vfprintf, stream))
PRINT(__printf_chk, (int flag UNUSED, const char *format, ...), TO_STREAM(printf, stdout))
PRINT(__fprintf_chk, (FILE * stream, int flag UNUSED, const char *format, ...), TO_STREAM(fprintf, stream))
VPRINT(__vprintf_chk, (int flag UNUSED, const char *format, va_list arguments), TO_STREAM(vprintf, stdout))
VPRINT(__vfprintf_chk, (FILE * stream, int flag UNUSED, const char *format, va_list arguments),
       TO_STREAM(vfprintf, stream))
