/* SPDX-License-Identifier: MIT
 *
 * Lines of source files, for people to recognise. The last file is kept, since steps come in runs from the same one.
 */
#ifndef MZ_REPORT_SOURCE_H
#define MZ_REPORT_SOURCE_H

#include "report/buffer.h"
#include <stdint.h>

/* Starts all zero. */
struct mz_source {
	char *path;
	char *text; /* NULL if the file cannot be read */
	size_t size;
	size_t *lines; /* offset of the start of each line */
	size_t nlines;
	size_t capacity;
};

/* Adds a line of a file without its indentation, cut to `columns` and fit to be shown. Returns false if there is no
 * such line. */
bool mz_source_add_line(struct mz_source *source, const char *path, uint32_t line, size_t columns,
                        struct mz_buffer *out);
void mz_source_release(struct mz_source *source);

#endif
