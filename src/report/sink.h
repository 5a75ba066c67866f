/* SPDX-License-Identifier: MIT
 *
 * The arrow from the explorer to the reports. In the course of a run: progress() any number of times, iteration() when
 * a bound that is being raised is done, finding() once for each distinct bug, in the order they were found, and then
 * result() once.
 */
#ifndef MZ_REPORT_SINK_H
#define MZ_REPORT_SINK_H

#include "report/result.h"

struct mz_progress {
	uint64_t executions;
	uint64_t redundant;
	uint64_t steps;
	double seconds;
};

/* Any function may be NULL. */
struct mz_sink {
	void *self;
	void (*progress)(void *self, const struct mz_progress *progress);
	void (*iteration)(void *self, const struct mz_result_iteration *iteration);
	/* `path`: the file that the trace was written to, or NULL. Everything is borrowed. */
	void (*finding)(void *self, const struct mz_trace *trace, const char *path);
	/* 0, or -1 with errno set when the report could not be written. */
	int (*result)(void *self, const struct mz_result *result);
};

#endif
