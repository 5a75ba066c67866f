/* SPDX-License-Identifier: MIT
 *
 * A response file holds arguments separated by white space; single and double quotes keep white space, a backslash
 * keeps the next character, inside quotes too. A file that names itself is not followed for ever.
 */
#include "cli/response.h"
#include "base/alloc.h"
#include "base/array.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_FILES 2000 /* gcc has the same limit */

struct expansion {
	struct mz_args todo; /* a stack: the argument to be looked at next is the last one */
	int files;
};

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	if (!file) return NULL;
	char *text = NULL;
	size_t capacity = 0, size = 0, n;
	do {
		if (!mz_array_reserve(&text, &capacity, size + 4096)) break;
		n = fread(text + size, 1, capacity - size - 1, file);
		size += n;
	} while (n > 0);
	bool failed = ferror(file) || !text || size >= capacity;
	fclose(file);
	if (failed) {
		mz_free(text);
		return NULL;
	}
	text[size] = '\0';
	return text;
}

/* Unquotes the argument at *from in place, terminates it with NUL, and moves *from past it. Returns the argument, or
 * NULL if there are no more. */
static char *next_argument(char **from)
{
	char *in = *from, quote = '\0';
	while (isspace((unsigned char)*in)) in++;
	if (!*in) return NULL;
	char *start = in, *out = in;
	for (; *in && (quote || !isspace((unsigned char)*in)); in++) {
		if (*in == '\\' && in[1])
			*out++ = *++in;
		else if (quote && *in == quote)
			quote = '\0';
		else if (!quote && (*in == '"' || *in == '\''))
			quote = *in;
		else
			*out++ = *in;
	}
	*from = *in ? in + 1 : in;
	*out = '\0';
	return start;
}

static void push_reversed(struct mz_args *todo, const struct mz_args *items)
{
	for (size_t i = items->count; i > 0; i--) mz_args_add(todo, items->items[i - 1]);
	if (items->failed) todo->failed = true;
}

/* Pushes the arguments in a file. Its text is never freed, because the arguments point into it. Returns false if the
 * file cannot be read. */
static bool push_file(struct expansion *e, const char *path)
{
	if (e->files++ >= MAX_FILES) return false;
	char *text = read_file(path);
	if (!text) return false;
	struct mz_args items = {0};
	for (char *item; (item = next_argument(&text));) mz_args_add(&items, item);
	push_reversed(&e->todo, &items);
	mz_args_release(&items);
	return true;
}

void mz_response_expand(struct mz_args *out, int argc, char **argv)
{
	struct expansion e = {0};
	for (int i = argc; i > 0; i--) mz_args_add(&e.todo, argv[i - 1]);
	while (e.todo.count > 0 && !e.todo.failed) {
		const char *item = e.todo.items[--e.todo.count];
		if (item[0] != '@' || !push_file(&e, item + 1)) mz_args_add(out, item);
	}
	if (e.todo.failed) out->failed = true;
	mz_args_release(&e.todo);
}
