/* SPDX-License-Identifier: MIT */
#include "base/bug.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void mz_bug(const char *file, int line, const char *what)
{
	char text[512];
	int n = snprintf(text, sizeof text, "mazurka: internal error at %s:%d: %s\n", file, line, what);
	size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
	ssize_t written = write(2, text, length);
	(void)written; /* there is nowhere else to say it */
	_exit(134);
}
