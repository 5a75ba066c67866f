/* SPDX-License-Identifier: MIT
 *
 * A runtime without a program, for tests of one part of it: a few threads that never run, and stand-ins for what the
 * part calls above itself. What a stand-in was called with can be looked at here.
 */
#ifndef MZ_TESTS_RUNTIME_STUBS_H
#define MZ_TESTS_RUNTIME_STUBS_H

#include "runtime/core/core.h"
#include <setjmp.h>

#define STUB_THREADS 16

/* Everything as before the first execution: threads, and what the stand-ins have seen. Memory that lasts is kept. */
void stub_reset(void);

/* Where functions that do not return go, and which it was: why mz_unsupported() was called, or "restart". */
extern jmp_buf stub_way_out;
extern const char *stub_why;

/* Fails unless `call` ends by calling one of them, for that reason. */
#define assert_gives_up(call, reason)                                                                                  \
	do {                                                                                                           \
		stub_why = NULL;                                                                                       \
		if (!setjmp(stub_way_out)) {                                                                           \
			call;                                                                                          \
			fail_msg("%s returned", #call);                                                                \
		}                                                                                                      \
		assert_string_equal(stub_why, reason);                                                                 \
	} while (0)

/* Reports of data races: how many, and the last one. */
extern unsigned stub_nreports;
extern struct mz_report stub_report;
extern char stub_text[256];

/* Plain accesses that were only told of, since data races are not looked for. */
extern unsigned stub_ntouched;

/* The operation that was announced last, by mz_visible() or mz_visible_if(). */
extern struct stub_operation {
	enum mz_op op;
	uint16_t naccesses;
	bool enabled;
} stub_operation;

/* Parts of memory that were said to belong to the image. */
extern struct mz_range stub_image[8];
extern unsigned stub_nimage;

#endif
