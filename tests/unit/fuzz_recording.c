/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a recording: a trace comes out that can be written, or there is no memory. Built with clang's
 * libFuzzer; with MZ_FUZZ_REPLAY it has a main() that tries the files named on the command line.
 */
#include "base/bug.h"
#include "report/resolve.h"
#include "report/text.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_whole(struct mz_trace *trace)
{
	static char *argv[] = {"p", NULL};
	char *words = NULL;
	size_t length;
	struct mz_text text = {.out = open_memstream(&words, &length)};
	mz_trace_set_program(trace, argv);
	MZ_REQUIRE(mz_trace_check(trace) == NULL);
	MZ_REQUIRE(mz_text_write_trace(&text, trace, NULL) == 0);
	fclose(text.out);
	free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mz_trace trace = {0};
	if (mz_trace_from_recording(&trace, data, size, "/nowhere", NULL) == 0) require_whole(&trace);
	mz_trace_release(&trace);
	return 0;
}

#ifdef MZ_FUZZ_REPLAY
#include "fuzz_replay.h"
#endif
