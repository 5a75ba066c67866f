/* SPDX-License-Identifier: MIT */
#include "report/source.h"
#include "base/alloc.h"
#include "base/array.h"
#include "report/unicode.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_SIZE_MAX = 8 << 20 }; /* no more of a source file is read */

void mz_source_release(struct mz_source *source)
{
	mz_free(source->path);
	mz_free(source->text);
	mz_free(source->lines);
	*source = (struct mz_source){0};
}

static void read_text(struct mz_source *source, const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > FILE_SIZE_MAX) return;
	FILE *in = fopen(path, "r");
	if (!in) return;
	source->text = mz_alloc((size_t)status.st_size + 1);
	source->size = source->text ? fread(source->text, 1, (size_t)status.st_size, in) : 0;
	fclose(in);
}

static void find_lines(struct mz_source *source)
{
	for (size_t at = 0; source->text && at < source->size;) {
		if (!mz_array_reserve(&source->lines, &source->capacity, source->nlines + 1)) return;
		source->lines[source->nlines++] = at;
		char *end = memchr(source->text + at, '\n', source->size - at);
		at = end ? (size_t)(end - source->text) + 1 : source->size;
	}
}

static bool open_source(struct mz_source *source, const char *path)
{
	if (source->path && strcmp(source->path, path) == 0) return source->text != NULL;
	mz_source_release(source);
	source->path = mz_alloc(strlen(path) + 1);
	if (!source->path) return false;
	strcpy(source->path, path);
	read_text(source, path);
	find_lines(source);
	return source->text != NULL;
}

bool mz_source_add_line(struct mz_source *source, const char *path, uint32_t line, size_t columns,
                        struct mz_buffer *out)
{
	char text[256];
	if (!path || line == 0 || !open_source(source, path) || line > source->nlines) return false;
	const char *at = source->text + source->lines[line - 1], *end = source->text + source->size;
	while (at < end && (*at == ' ' || *at == '\t')) at++;
	size_t n = 0;
	while (n < sizeof text - 4 && n < columns && at + n < end && at[n] != '\n' && at[n] != '\r') n++;
	bool cut = at + n < end && at[n] != '\n' && at[n] != '\r';
	memcpy(text, at, n);
	text[n] = '\0';
	if (strlen(text) == 0) return false;
	mz_printable_add(out, text);
	if (cut) mz_buffer_add_string(out, "...");
	return true;
}
