/* SPDX-License-Identifier: MIT
 *
 * The options of a run before any is given: for the command line and for mz_check() alike.
 */
#include "cli/options.h"

struct mz_run_options mz_run_options_default(void)
{
	return (struct mz_run_options){.strategy = "optimal",
	                               .order = "dfs",
	                               .volatiles = "plain",
	                               .heap = "fresh",
	                               .isolation = "image",
	                               .checkpoints = "auto",
	                               .jobs = 1,
	                               .max_steps = 100000,
	                               .preemptions = UINT64_MAX,
	                               .fair = UINT64_MAX,
	                               .delays = UINT64_MAX,
	                               .seed = 1,
	                               .depth = 3,
	                               .stall_timeout = 10};
}
