/* SPDX-License-Identifier: MIT
 *
 * Numbers: absolute values, and numbers read from text.
 */
#include "concolic/models/models.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

int MODEL(abs)(int n);
long MODEL(labs)(long n);
long long MODEL(llabs)(long long n);
int MODEL(atoi)(const char *text);
long MODEL(atol)(const char *text);
long long MODEL(atoll)(const char *text);
long MODEL(strtol)(const char *text, char **end, int base);
long long MODEL(strtoll)(const char *text, char **end, int base);
unsigned long MODEL(strtoul)(const char *text, char **end, int base);
unsigned long long MODEL(strtoull)(const char *text, char **end, int base);

int MODEL(abs)(int n)
{
	return n < 0 ? (int)-(unsigned)n : n;
}

long MODEL(labs)(long n)
{
	return n < 0 ? (long)-(unsigned long)n : n;
}

long long MODEL(llabs)(long long n)
{
	return n < 0 ? (long long)-(unsigned long long)n : n;
}

/* Returns the value of a digit, or 36 if the character is none. */
static int digit(char c)
{
	if (c >= '0' && c <= '9') return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 36;
}

static bool is_space(char c)
{
	return (c == ' ') | ((unsigned)c - '\t' <= '\r' - '\t');
}

/* What was read: the sign, the amount (or its greatest value, if there is none so great), and where it ended. `below`
 * depends on how many digits there were, and on no digit: the amount is less, or `below` is 0, and nothing is known.
 * Short numbers are thus known to be small enough without a question to the solver. */
struct number {
	bool negative, overflow;
	unsigned long amount, below;
	const char *end;
};

/* Skips the prefix of the base. Returns the base. */
static int read_base(const char **text, int base, const void *code)
{
	const char *s = *text;
	if (base != 0 && base != 16) return base;
	if (look(s, code) != '0') return base ? base : 10;
	if ((look(s + 1, code) | 32) == 'x' && digit((char)look(s + 2, code)) < 16) {
		*text += 2;
		return 16;
	}
	return base ? base : 8;
}

/* Adds a digit to the amount, unless that overflows. */
static void add_digit(struct number *number, unsigned long base, unsigned long value)
{
	unsigned long most = ULONG_MAX / base, rest = ULONG_MAX % base;
	bool can_overflow = number->below == 0 || number->below > most;
	number->below = can_overflow ? 0 : number->below * base;
	if (can_overflow && (number->amount > most || (number->amount == most && value > rest)))
		number->overflow = true;
	number->amount = number->overflow ? ULONG_MAX : number->amount * base + value;
}

static struct number read_number(const char *text, int base, const void *code)
{
	struct number number = {.below = 1, .end = text};
	const char *s = text;
	while (is_space((char)look(s, code))) s++;
	char sign = (char)look(s, code);
	number.negative = sign == '-';
	if (sign == '-' || sign == '+') s++;
	base = read_base(&s, base, code);
	for (int value; (value = digit((char)look(s, code))) < base; number.end = ++s)
		add_digit(&number, (unsigned long)base, (unsigned long)value);
	return number;
}

/* Tells what was looked at, and where that ended. */
static void tell(const char *text, char **end, const struct number *number, const void *code)
{
	tell_read(text, (size_t)(number->end - text) + 1, code);
	if (!end) return;
	__mz_sym_touch(end, sizeof *end, 1, code);
	*end = (char *)number->end;
}

static long read_signed(const char *text, char **end, int base, const void *code)
{
	struct number number = read_number(text, base, code);
	unsigned long most = number.negative ? 1UL + LONG_MAX : LONG_MAX;
	tell(text, end, &number, code);
	bool can_overflow = number.below == 0 || number.below > most;
	if (can_overflow && (number.overflow || number.amount > most)) {
		errno = ERANGE;
		return number.negative ? LONG_MIN : LONG_MAX;
	}
	return number.negative ? (long)-number.amount : (long)number.amount;
}

static unsigned long read_unsigned(const char *text, char **end, int base, const void *code)
{
	struct number number = read_number(text, base, code);
	tell(text, end, &number, code);
	if (number.overflow) {
		errno = ERANGE;
		return ULONG_MAX;
	}
	return number.negative ? -number.amount : number.amount;
}

/* Reports whether there is nothing to decide: no byte that is looked at depends on inputs, or there is no such base. */
static bool is_concrete_number(const char *text, int base, const void *code)
{
	if (CONCRETE || base < 0 || base == 1 || base > 36) return true;
	return !STEPS && is_concrete(text, __mz_sym_number(text, base, code));
}

/* For other models: numbers in memory of their own. */
long MODEL(read_signed)(const char *text, int base);
long MODEL(read_signed)(const char *text, int base)
{
	return read_signed(text, NULL, base, NULL);
}

unsigned long MODEL(read_unsigned)(const char *text, int base);
unsigned long MODEL(read_unsigned)(const char *text, int base)
{
	return read_unsigned(text, NULL, base, NULL);
}

#define NUMBER(type, name, read)                                                                                       \
	type MODEL(name)(const char *text, char **end, int base)                                                       \
	{                                                                                                              \
		if (is_concrete_number(text, base, HERE)) GO_ON name(text, end, base);                                 \
		return (type)read(text, end, base, HERE);                                                              \
	}
#define DECIMAL(type, name)                                                                                            \
	type MODEL(name)(const char *text)                                                                             \
	{                                                                                                              \
		if (is_concrete_number(text, 10, HERE)) GO_ON name(text);                                              \
		return (type)read_signed(text, NULL, 10, HERE);                                                        \
	}

NUMBER(long, strtol, read_signed)
NUMBER(long long, strtoll, read_signed)
NUMBER(unsigned long, strtoul, read_unsigned)
NUMBER(unsigned long long, strtoull, read_unsigned)
DECIMAL(int, atoi)
DECIMAL(long, atol)
DECIMAL(long long, atoll)
