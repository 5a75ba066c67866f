/* SPDX-License-Identifier: MIT
 *
 * pthread: cancellation, which is deferred always: that threads may be cancelled anywhere, as a program can ask for, is
 * not explored, and counted. Such a thread has one more point: where it asks, or enables cancellation again.
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
	if (mz_current->requests.cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS) mz_request_point(mz_current, MZ_CALLER());
	return 0;
}

int mz_entry_pthread_setcanceltype(int type, int *old)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setcanceltype)(type, old);
	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
	MZ_RESULT(mz_current, old, mz_current->requests.cancel_type, MZ_CALLER());
	mz_current->requests.cancel_type = (uint8_t)type;
	if (type == PTHREAD_CANCEL_DEFERRED) return 0;
	if (mz_rt.mode.checks_cancellation) mz_uncontrolled(MZ_UNCONTROLLED_CANCELLATION);
	mz_request_point(mz_current, MZ_CALLER());
	return 0;
}
