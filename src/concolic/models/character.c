/* SPDX-License-Identifier: MIT
 *
 * Kinds of characters, as in the C locale. They are computed without branches, so that a program's own branches are the
 * only ones. A kind is a bit, as in the C library's table; EOF (-1) and characters that are no ASCII are of no kind.
 */
#include "concolic/models/models.h"
#include <ctype.h>
#include <stdlib.h>

/* Reports whether a <= c <= b. */
#define WITHIN(c, a, b) ((unsigned)(c) - (unsigned)(a) <= (unsigned)((b) - (a)))
#define LOWER(c) WITHIN(c, 'a', 'z')
#define UPPER(c) WITHIN(c, 'A', 'Z')
#define DIGIT(c) WITHIN(c, '0', '9')
#define ALPHA(c) WITHIN((c) | 32, 'a', 'z')
#define GRAPH(c) WITHIN(c, 33, 126)
/* A character of type char that is negative, but for EOF, is changed to what it is as an unsigned char. */
#define UNSIGNED(c) ((c) + 256 * WITHIN(c, -128, -2))

#define FUNCTION(name, value)                                                                                          \
	int MODEL(name)(int c);                                                                                        \
	int MODEL(name)(int c)                                                                                         \
	{                                                                                                              \
		if (CONCRETE) GO_ON(name)(c);                                                                          \
		return (value);                                                                                        \
	}
#define KIND(name, bit, test) FUNCTION(name, (int)(test) * (bit))

KIND(isalnum, _ISalnum, ALPHA(c) | DIGIT(c))
KIND(isalpha, _ISalpha, ALPHA(c))
KIND(isblank, _ISblank, (c == ' ') | (c == '\t'))
KIND(iscntrl, _IScntrl, WITHIN(c, 0, 31) | (c == 127))
KIND(isdigit, _ISdigit, DIGIT(c))
KIND(isgraph, _ISgraph, GRAPH(c))
KIND(islower, _ISlower, LOWER(c))
KIND(isprint, _ISprint, WITHIN(c, 32, 126))
KIND(ispunct, _ISpunct, GRAPH(c) & !(ALPHA(c) | DIGIT(c)))
KIND(isspace, _ISspace, (c == ' ') | WITHIN(c, '\t', '\r'))
KIND(isupper, _ISupper, UPPER(c))
KIND(isxdigit, _ISxdigit, DIGIT(c) | WITHIN((c) | 32, 'a', 'f'))
FUNCTION(tolower, UNSIGNED(c) + 32 * (int)UPPER(c))
FUNCTION(toupper, UNSIGNED(c) - 32 * (int)LOWER(c))
