/* SPDX-License-Identifier: MIT
 *
 * Turns a recording (trace/recording.h) into a trace: addresses become names, findings get their words.
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

/* Adds threads, inputs that the program has marked, steps and findings to `trace`, which has none, and sets its preemptions. The caller fills in the rest
 * (program, identity, configuration, execution). The stream may end anywhere, or make no sense from somewhere on: the
 * records before that are used. `end`, if not NULL, gets the last record, or all zero if the stream did not come to it.
 * Files are named relative to `directory` (NULL: the current one). Returns 0, or -1 when there is no memory; the trace
 * has to be released then, too. */
int mz_trace_from_recording(struct mz_trace *trace, const void *data, size_t size, const char *directory,
                            struct mz_record_end *end);

#endif
