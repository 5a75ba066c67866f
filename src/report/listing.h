/* SPDX-License-Identifier: MIT
 *
 * The steps of an execution, a line each, in columns:
 *
 *     step  thread  operation  object       place
 *        1  main    write      counter = 0  p.c:31 (main)    | counter = 0;
 *     -- main is preempted: it could have gone on
 *        2  main/1  lock       m            p.c:14 (worker)  | pthread_mutex_lock(&m);
 *     ... 12 steps not shown
 */
#ifndef MZ_REPORT_LISTING_H
#define MZ_REPORT_LISTING_H

#include "report/buffer.h"
#include "trace/trace.h"

struct mz_listing_options {
	bool all;    /* list every step; else, of a long execution, only those near switches and the end */
	bool colour; /* mark preemptions with the terminal's colours */
};

/* Adds the steps of a trace to the buffer, which is failed if memory runs out. */
void mz_listing_add(struct mz_buffer *out, const struct mz_trace *trace, const struct mz_listing_options *options);

/* Adds a value of `length` bytes as a person expects it: "-1", "3", "0x7f0012345678". */
void mz_value_add(struct mz_buffer *out, uint64_t value, uint32_t length);

#endif
