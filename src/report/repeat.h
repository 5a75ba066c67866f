/* SPDX-License-Identifier: MIT
 *
 * What repeats at the end of an execution that a limit on its steps had to end.
 */
#ifndef MZ_REPORT_REPEAT_H
#define MZ_REPORT_REPEAT_H

#include "trace/trace.h"

struct mz_repeat {
	size_t length; /* of the part that repeats, the last steps; 0 if nothing does */
	size_t times;  /* how often it comes in a row, at least twice */
};

/* Steps are the same if the same thread does the same operation at the same place. Of all parts that the execution ends
 * with twice or more often in a row, the one whose repetitions make up most of it; the shortest of those. 0, or -1 when
 * there is no memory. */
int mz_repeat_find(const struct mz_trace *trace, struct mz_repeat *repeat);

/* Adds what repeats, step by step, to each livelock that was found because the trace has as many steps as it may. 0, or
 * -1 when there is no memory. */
int mz_trace_explain_endless(struct mz_trace *trace);

#endif
