/* SPDX-License-Identifier: MIT
 *
 * Finds what repeats at the end of an execution that ended because of the limit on its steps.
 */
#ifndef MZ_REPORT_REPEAT_H
#define MZ_REPORT_REPEAT_H

#include "trace/trace.h"

struct mz_repeat {
	/* number of steps in the part that repeats, which is the last of the execution; 0 if none does */
	size_t length;
	size_t times; /* how often it comes in a row, at least twice */
};

/* Finds the part that the execution ends with twice or more often in a row. Steps are the same if the same thread does
 * the same operation at the same place. Of several such parts it takes the one whose repetitions make up most of the
 * execution, and of those the shortest. Returns 0, or -1 when there is no memory. */
int mz_repeat_find(const struct mz_trace *trace, struct mz_repeat *repeat);

/* Adds details that list the repeating part to each livelock that was found because the trace has as many steps as it
 * may. Returns 0, or -1 when there is no memory. */
int mz_trace_explain_endless(struct mz_trace *trace);

#endif
