/* SPDX-License-Identifier: MIT
 *
 * The interface between a run and the report that a person reads while the run goes on. The campaign
 * (campaign/reporter.c) calls iteration() when a bound of --iterate is done, finding() once for each distinct bug, in
 * the order they were found, and then result() once.
 */
#ifndef MZ_REPORT_SINK_H
#define MZ_REPORT_SINK_H

#include "report/result.h"

/* Any function may be NULL. */
struct mz_sink {
	void *self;
	void (*iteration)(void *self, const struct mz_result_iteration *iteration);
	/* `path`: the file that the trace was written to, or NULL. Everything is borrowed. */
	void (*finding)(void *self, const struct mz_trace *trace, const char *path);
	/* 0, or -1 with errno set when the report could not be written. */
	int (*result)(void *self, const struct mz_result *result);
};

#endif
