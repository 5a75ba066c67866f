/* SPDX-License-Identifier: MIT */
#include "cli/args.h"
#include "base/alloc.h"
#include "base/array.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mz_args_add(struct mz_args *args, const char *item)
{
	if (!item || !mz_array_reserve(&args->items, &args->capacity, args->count + 2)) {
		args->failed = true;
		return;
	}
	args->items[args->count++] = (char *)item;
	args->items[args->count] = NULL;
}

void mz_args_add_all(struct mz_args *args, const char *const *items)
{
	for (; *items; items++) mz_args_add(args, *items);
}

void mz_args_format(struct mz_args *args, const char *text, ...)
{
	va_list list, again;
	va_start(list, text);
	va_copy(again, list);
	int n = vsnprintf(NULL, 0, text, list);
	char *item = n < 0 ? NULL : mz_alloc((size_t)n + 1);
	if (item) vsnprintf(item, (size_t)n + 1, text, again);
	va_end(again);
	va_end(list);
	mz_args_add(args, item);
}

void mz_args_release(struct mz_args *args)
{
	mz_free(args->items);
	memset(args, 0, sizeof *args);
}
