/* SPDX-License-Identifier: MIT */
#include "cli/say.h"
#include <stdarg.h>
#include <stdio.h>

int mz_refuse(const char *format, ...)
{
	va_list arguments;
	fputs("mazurka: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return MZ_EXIT_USAGE;
}
