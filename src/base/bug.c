/* SPDX-License-Identifier: MIT */
#include "base/bug.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void (*listener)(const char *line);
static void (*_Atomic way_out)(const char *line); /* atomic, because any thread of a host may set it */

void mz_bug_tell(void (*tell)(const char *line))
{
	listener = tell;
}

void mz_bug_escape(void (*escape)(const char *line))
{
	way_out = escape;
}

_Noreturn void mz_bug(const char *file, int line, const char *what)
{
	static bool again; /* a second error, while the first is told, just ends the process */
	char text[512];
	snprintf(text, sizeof text, "internal error at %s:%d: %s", file, line, what);
	if (way_out) way_out(text);
	if (again) _exit(MZ_BUG_STATUS);
	again = true;
	dprintf(2, "mazurka: %s\n", text);
	if (listener) listener(text);
	dprintf(2, "mazurka: " MZ_BUG_PLEASE "\n");
	_exit(MZ_BUG_STATUS);
}

#ifdef MZ_PLANTS
#include <string.h>

bool mz_planted(const char *place)
{
	const char *planted = getenv("MAZURKA_PLANT");
	return planted && strcmp(planted, place) == 0;
}

void mz_plant(const char *file, int line, const char *place)
{
	if (mz_planted(place)) mz_bug(file, line, "planted");
}
#endif
