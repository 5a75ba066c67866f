/* SPDX-License-Identifier: MIT */
#include "base/bug.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void (*_Atomic listener)(const char *line); /* hosts have threads, and each may be the first to set it */

void mz_bug_tell(void (*tell)(const char *line))
{
	listener = tell;
}

_Noreturn void mz_bug(const char *file, int line, const char *what)
{
	static bool again; /* an error while telling of one: there is nothing more to be done */
	char text[512];
	if (again) _exit(MZ_BUG_STATUS);
	again = true;
	snprintf(text, sizeof text, "internal error at %s:%d: %s", file, line, what);
	dprintf(2, "mazurka: %s\n", text);
	if (listener) listener(text);
	dprintf(2, "mazurka: " MZ_BUG_PLEASE "\n");
	_exit(MZ_BUG_STATUS);
}

#ifdef MZ_PLANTS
#include <string.h>

void mz_plant(const char *file, int line, const char *place)
{
	const char *planted = getenv("MAZURKA_PLANT");
	if (planted && strcmp(planted, place) == 0) mz_bug(file, line, "planted");
}
#endif
