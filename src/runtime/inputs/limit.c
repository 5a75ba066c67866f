/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/limit.h"

_Noreturn void mz_inputs_give_up(enum mz_input_limit limit)
{
	if (!mz_current) mz_unsupported("there is no room left for expressions over inputs (--max-expressions)");
	if (!mz_rt.execution.limited) mz_rt.session->inputs.given_up[limit]++;
	mz_rt.execution.limited = true;
	mz_finish(mz_current, MZ_FIBER_STOPPED);
}
