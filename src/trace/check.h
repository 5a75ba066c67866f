/* SPDX-License-Identifier: MIT
 *
 * What must hold of each item of a trace, given the items before it. The writer asks for all of them, the reader for
 * each as it comes, so that it can name the line. Each returns what is wrong, or NULL.
 */
#ifndef MZ_TRACE_CHECK_H
#define MZ_TRACE_CHECK_H

#include "trace/trace.h"

const char *mz_trace_check_faults(const struct mz_configuration *configuration);
const char *mz_trace_check_thread(const struct mz_trace *trace, size_t thread);
const char *mz_trace_check_step(const struct mz_trace *trace, size_t step);
const char *mz_trace_check_finding(const struct mz_trace *trace, size_t finding);

#endif
