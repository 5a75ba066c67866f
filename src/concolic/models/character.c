/* SPDX-License-Identifier: MIT
 *
 * Kinds of characters, as in the C locale. They are computed without branches, so that a program's own branches are the
 * only ones; EOF (-1) and characters above 127 are of no kind.
 */
#include "concolic/models/models.h"
#include <ctype.h>
#include <stdlib.h>

/* Reports whether a <= c <= b. */
#define WITHIN(c, a, b) ((unsigned)(c) - (a) <= (unsigned)((b) - (a)))
#define LOWER(c) WITHIN(c, 'a', 'z')
#define UPPER(c) WITHIN(c, 'A', 'Z')
#define DIGIT(c) WITHIN(c, '0', '9')
#define ALPHA(c) WITHIN((c) | 32, 'a', 'z')
#define GRAPH(c) WITHIN(c, 33, 126)

#define KIND(name, test)                                                                                               \
	int MODEL(name)(int c);                                                                                        \
	int MODEL(name)(int c)                                                                                         \
	{                                                                                                              \
		return CONCRETE ? (name)(c) : (test);                                                                  \
	}

KIND(isalnum, ALPHA(c) | DIGIT(c))
KIND(isalpha, ALPHA(c))
KIND(isblank, (c == ' ') | (c == '\t'))
KIND(iscntrl, WITHIN(c, 0, 31) | (c == 127))
KIND(isdigit, DIGIT(c))
KIND(isgraph, GRAPH(c))
KIND(islower, LOWER(c))
KIND(isprint, WITHIN(c, 32, 126))
KIND(ispunct, GRAPH(c) & !(ALPHA(c) | DIGIT(c)))
KIND(isspace, (c == ' ') | WITHIN(c, '\t', '\r'))
KIND(isupper, UPPER(c))
KIND(isxdigit, DIGIT(c) | WITHIN((c) | 32, 'a', 'f'))
KIND(tolower, c + 32 * UPPER(c))
KIND(toupper, c - 32 * LOWER(c))
