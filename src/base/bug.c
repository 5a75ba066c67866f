/* SPDX-License-Identifier: MIT */
#include "base/bug.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void (*listener)(const char *line);

void mz_bug_tell(void (*tell)(const char *line))
{
	listener = tell;
}

_Noreturn void mz_bug(const char *file, int line, const char *what)
{
	char text[512];
	snprintf(text, sizeof text, "internal error at %s:%d: %s", file, line, what);
	if (listener) listener(text);
	dprintf(2, "mazurka: %s\n", text);
	_exit(134);
}
