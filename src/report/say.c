/* SPDX-License-Identifier: MIT */
#include "report/say.h"
#include "base/bug.h"
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

int mz_refuse_internal_error(const char *what, const char *trace)
{
	mz_refuse("%s", what);
	if (trace) mz_refuse("the schedule that led there is in %s", trace);
	return mz_refuse("%s", MZ_BUG_PLEASE);
}
