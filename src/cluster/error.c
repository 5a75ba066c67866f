/* SPDX-License-Identifier: MIT */
#include "cluster/error.h"
#include <stdarg.h>
#include <stdio.h>

void mz_store_clean(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~') *text = '?';
}

enum mz_store_status mz_store_fail(struct mz_store_error *error, enum mz_store_status status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	return error->status = status;
}
