/* SPDX-License-Identifier: MIT
 *
 * Limits on what one execution does: where one is reached the execution is given up, and the run goes on with others. A
 * search of states has no executions to give up, and ends there.
 */
#include "runtime/core/core.h"
#include <stdio.h>

static const struct {
	const char *option, *what;
} limits[] = {
#define X(id, field, option, noun, what) {option, what},
    MZ_PATH_LIMITS(X)
#undef X
};

MZ_COLD void mz_note_limit(enum mz_path_limit limit)
{
	char why[128];
	if (!mz_current || mz_rt.mode.searches_states) {
		snprintf(why, sizeof why, "there are too many %s (%s)", limits[limit].what, limits[limit].option);
		mz_unsupported(why);
	}
	if (!mz_rt.execution.limited) mz_rt.session->given_up[limit]++;
	mz_rt.execution.limited = true;
}

_Noreturn void mz_give_up(enum mz_path_limit limit)
{
	mz_note_limit(limit);
	mz_finish(mz_current, MZ_FIBER_STOPPED);
}
