/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a trace file: the reader refuses them with one line, or what it read is written again byte for byte.
 * Built with clang's libFuzzer; with MZ_FUZZ_REPLAY it has a main() that tries the files named on the command line.
 */
#include "base/bug.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_same(const struct mz_trace *trace, const uint8_t *data, size_t size)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	MZ_REQUIRE(mz_trace_write(trace, out) == 0);
	fclose(out);
	MZ_REQUIRE(length == size && memcmp(text, data, size) == 0);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mz_trace trace;
	char error[200] = "";
	if (size == 0) return 0;
	FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
	int result = mz_trace_read(&trace, in, error, sizeof error);
	fclose(in);
	if (result == 0)
		require_same(&trace, data, size);
	else
		MZ_REQUIRE(strncmp(error, "line ", 5) == 0 && !strchr(error, '\n'));
	mz_trace_release(&trace);
	return 0;
}

#ifdef MZ_FUZZ_REPLAY
#include "fuzz_replay.h"
#endif
