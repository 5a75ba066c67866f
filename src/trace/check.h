/* SPDX-License-Identifier: MIT
 *
 * Checks of the items of a trace, one by one. Each function says whether an item fits the items before it: it returns
 * what is wrong, in words, or NULL. The writer checks all items first; the reader checks each as it is read, so that it
 * can name the line.
 */
#ifndef MZ_TRACE_CHECK_H
#define MZ_TRACE_CHECK_H

#include "trace/trace.h"

const char *mz_trace_check_faults(const struct mz_configuration *configuration);
const char *mz_trace_check_thread(const struct mz_trace *trace, size_t thread);
const char *mz_trace_check_input(const struct mz_trace *trace, size_t input);
const char *mz_trace_check_step(const struct mz_trace *trace, size_t step);
const char *mz_trace_check_finding(const struct mz_trace *trace, size_t finding);

#endif
