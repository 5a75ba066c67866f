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
int MODEL(isspace)(int c);

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

/* What was read: the sign, the amount (or its greatest value, if there is none so great), and where it ended. `below`
 * depends on how many digits there were, and on no digit: the amount is less, or `below` is 0, and nothing is known.
 * Short numbers are thus known to be small enough without a question to the solver. */
struct number {
	bool negative, overflow;
	unsigned long amount, below;
	const char *end;
};

/* Skips the prefix of the base. Returns the base. */
static int read_base(const char **text, int base)
{
	const char *s = *text;
	if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && digit(s[2]) < 16) {
		*text += 2;
		return 16;
	}
	return base ? base : s[0] == '0' ? 8 : 10;
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

static struct number read_number(const char *text, int base)
{
	struct number number = {.below = 1, .end = text};
	const char *s = text;
	while (MODEL(isspace)((unsigned char)*s)) s++;
	if (*s == '-') number.negative = true;
	if (number.negative || *s == '+') s++;
	base = read_base(&s, base);
	for (int value; (value = digit(*s)) < base; number.end = ++s)
		add_digit(&number, (unsigned long)base, (unsigned long)value);
	return number;
}

static long read_signed(const char *text, char **end, int base)
{
	struct number number = read_number(text, base);
	unsigned long most = number.negative ? 1UL + LONG_MAX : LONG_MAX;
	if (end) *end = (char *)number.end;
	bool can_overflow = number.below == 0 || number.below > most;
	if (can_overflow && (number.overflow || number.amount > most)) {
		errno = ERANGE;
		return number.negative ? LONG_MIN : LONG_MAX;
	}
	return number.negative ? (long)-number.amount : (long)number.amount;
}

static unsigned long read_unsigned(const char *text, char **end, int base)
{
	struct number number = read_number(text, base);
	if (end) *end = (char *)number.end;
	if (number.overflow) {
		errno = ERANGE;
		return ULONG_MAX;
	}
	return number.negative ? -number.amount : number.amount;
}

long MODEL(strtol)(const char *text, char **end, int base)
{
	return CONCRETE ? strtol(text, end, base) : read_signed(text, end, base);
}

long long MODEL(strtoll)(const char *text, char **end, int base)
{
	return CONCRETE ? strtoll(text, end, base) : read_signed(text, end, base);
}

unsigned long MODEL(strtoul)(const char *text, char **end, int base)
{
	return CONCRETE ? strtoul(text, end, base) : read_unsigned(text, end, base);
}

unsigned long long MODEL(strtoull)(const char *text, char **end, int base)
{
	return CONCRETE ? strtoull(text, end, base) : read_unsigned(text, end, base);
}

int MODEL(atoi)(const char *text)
{
	return (int)MODEL(strtol)(text, NULL, 10);
}

long MODEL(atol)(const char *text)
{
	return MODEL(strtol)(text, NULL, 10);
}

long long MODEL(atoll)(const char *text)
{
	return MODEL(strtoll)(text, NULL, 10);
}
