/* SPDX-License-Identifier: MIT
 *
 * What the options of a run mean for its session; and whether the strategy can do what they ask for.
 */
#ifndef MZ_CLI_CONFIGURE_H
#define MZ_CLI_CONFIGURE_H

#include "cli/options.h"
#include "explorer/supervisor.h"

/* Opens the session. 0, or an exit status after saying in one line what is wrong. */
int mz_configure(struct mz_session_memory *memory, const struct mz_run_options *options);

/* Whether the strategy samples, and never is complete. */
bool mz_run_samples(const struct mz_run_options *options);

/* Where threads may switch: "sync" or "all". A search of states sees data races where both accesses can be next, and so
 * looks at all of them unless it is told not to. */
const char *mz_run_points(const struct mz_run_options *options);

/* Whether an execution that goes on to --max-steps is a livelock: nobody was left behind, or it is known that nobody
 * can do anything else. */
bool mz_run_reports_endless(const struct mz_run_options *options);

#endif
