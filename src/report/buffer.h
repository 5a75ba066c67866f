/* SPDX-License-Identifier: MIT
 *
 * A string that grows. A buffer that is all zero is empty. When memory runs out, the buffer stays failed and
 * mz_buffer_take() says so: callers need not check in between.
 */
#ifndef MZ_REPORT_BUFFER_H
#define MZ_REPORT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct mz_buffer {
	char *text;
	size_t length;
	size_t capacity;
	bool failed;
};

void mz_buffer_add_bytes(struct mz_buffer *buffer, const char *bytes, size_t n);
void mz_buffer_add_string(struct mz_buffer *buffer, const char *text);
__attribute__((format(printf, 2, 3))) void mz_buffer_add(struct mz_buffer *buffer, const char *format, ...);

/* Returns the text, which is the caller's from now on (mz_free), or NULL if memory ran out. The buffer is empty
 * again. */
char *mz_buffer_take(struct mz_buffer *buffer);
void mz_buffer_release(struct mz_buffer *buffer);

#endif
