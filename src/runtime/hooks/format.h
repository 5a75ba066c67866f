/* SPDX-License-Identifier: MIT
 *
 * What formats for printing and for scanning have in common.
 */
#ifndef MZ_RUNTIME_HOOKS_FORMAT_H
#define MZ_RUNTIME_HOOKS_FORMAT_H

#include <stddef.h>

/* Parses a decimal number and moves `*at` behind it; 0 if there is none. */
static inline int mz_format_number(const char **at)
{
	int number = 0;
	for (; **at >= '0' && **at <= '9'; ++*at) number = number < 100000000 ? number * 10 + (**at - '0') : number;
	return number;
}

/* Parses the length modifiers of a conversion (h, l, ...). Returns the size of the number: that of an int if there are
 * none. */
static inline size_t mz_format_size(const char **at)
{
	size_t size = sizeof(int);
	for (;; ++*at) {
		switch (**at) {
		case 'h': size /= 2; break;
		case 'l':
		case 'q':
		case 'j':
		case 'z':
		case 'Z':
		case 't': size = sizeof(long); break;
		case 'L': size = sizeof(long double); break;
		default: return size;
		}
	}
}

#endif
