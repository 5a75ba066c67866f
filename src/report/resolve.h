/* SPDX-License-Identifier: MIT
 *
 * From a recording (trace/recording.h) to a trace: addresses become names, findings get their words.
 *
 * The texts that the runtime recorded become these, where O is the name of the object at `address`:
 *   data race        "data race on `O`: " message " by THREAD against " other " by THREAD"; if the message itself ends
 *                    in " against " other, that part of it is left out
 *   other findings   message, followed by ": O" if the finding has an address
 *   the other place  a detail: other (or a word that suits the kind) " by THREAD"
 *   heap blocks      a detail "allocated: heap block of N bytes", for findings about the heap
 *   details          "THREAD " text " O", each part only if the detail has a thread, or an address
 */
#ifndef MZ_REPORT_RESOLVE_H
#define MZ_REPORT_RESOLVE_H

#include "trace/recording.h"
#include "trace/trace.h"

/* Adds threads, steps and findings to `trace`, which has none, and sets its preemptions. The rest of it (program,
 * identity, points, heap, races, max_steps, execution) is the caller's. The stream may end anywhere, or make no sense
 * from somewhere on: what comes before is used. `end`, if not NULL, gets the last record, or all zero if the stream
 * did not come to it. Files are named relative to `directory` (NULL: the current one).
 * -1 when there is no memory; the trace is then to be released. */
int mz_trace_from_recording(struct mz_trace *trace, const void *data, size_t size, const char *directory,
                            struct mz_record_end *end);

#endif
