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

/* Whether threads that spin go round instead of waiting: a search of states sees by itself that they come back. */
bool mz_run_lets_spin(const struct mz_run_options *options);

#endif
