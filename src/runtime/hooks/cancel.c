/* SPDX-License-Identifier: MIT
 *
 * pthread: cancellation. Deferred only: a program that cancels threads and wants them to be cancelled anywhere is
 * refused.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <pthread.h>

MZ_HOOKS_DECLARE(CANCEL)

int mz_entry_pthread_cancel(pthread_t thread)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_cancel)(mz_early_real_handle(thread));
	return mz_request_cancel(mz_current, thread, MZ_CALLER());
}

void mz_entry_pthread_testcancel(void)
{
	if (MZ_SELF())
		mz_request_poll(mz_current, MZ_CALLER());
	else
		MZ_REAL(pthread_testcancel)();
}

int mz_entry_pthread_setcancelstate(int state, int *old)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setcancelstate)(state, old);
	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
	MZ_RESULT(mz_current, old, mz_current->requests.cancel_state, MZ_CALLER());
	mz_current->requests.cancel_state = (uint8_t)state;
	return 0;
}

int mz_entry_pthread_setcanceltype(int type, int *old)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setcanceltype)(type, old);
	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS && mz_rt.mode.checks_cancellation)
		mz_unsupported(
		    "it uses PTHREAD_CANCEL_ASYNCHRONOUS, and threads are cancelled at cancellation points alone");
	MZ_RESULT(mz_current, old, mz_current->requests.cancel_type, MZ_CALLER());
	mz_current->requests.cancel_type = (uint8_t)type;
	return 0;
}
