/* SPDX-License-Identifier: MIT
 *
 * pthread: what threads are asked about themselves, and what they are told that changes nothing here. All threads have
 * the same priority and may run anywhere: what is set is accepted, and what is asked for is the default.
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
#include <sched.h>
#include <string.h>

MZ_HOOKS_DECLARE(ATTRIBUTES)

int mz_entry_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getattr_np)(mz_early_real_handle(thread), attributes);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	pthread_attr_init(attributes);
	pthread_attr_setdetachstate(attributes, fiber->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
	return pthread_attr_setstack(attributes, fiber->stack_low, (size_t)(fiber->stack_high - fiber->stack_low));
}

int mz_entry_pthread_setname_np(pthread_t thread, const char *name)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setname_np)(mz_early_real_handle(thread), name);
	struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	if (strlen(name) >= sizeof fiber->name) return ERANGE;
	strcpy(fiber->name, name);
	return 0;
}

int mz_entry_pthread_getname_np(pthread_t thread, char *name, size_t size)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getname_np)(mz_early_real_handle(thread), name, size);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	if (size <= strlen(fiber->name)) return ERANGE;
	mz_plain_result(mz_current, name, fiber->name, strlen(fiber->name) + 1, MZ_CALLER());
	return 0;
}

/* ---- scheduling ---- */

int mz_entry_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getschedparam)(mz_early_real_handle(thread), policy, parameters);
	if (!mz_thread_from(thread)) return ESRCH;
	MZ_RESULT(mz_current, policy, SCHED_OTHER, MZ_CALLER());
	mz_plain_result(mz_current, parameters, &(struct sched_param){0}, sizeof *parameters, MZ_CALLER());
	return 0;
}

int mz_entry_pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setschedparam)(mz_early_real_handle(thread), policy, parameters);
	return mz_thread_from(thread) ? 0 : ESRCH;
}

int mz_entry_pthread_setschedprio(pthread_t thread, int priority)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setschedprio)(mz_early_real_handle(thread), priority);
	return mz_thread_from(thread) ? 0 : ESRCH;
}

int mz_entry_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getaffinity_np)(mz_early_real_handle(thread), size, processors);
	if (!mz_thread_from(thread)) return ESRCH;
	return sched_getaffinity(0, size, processors) ? errno : 0;
}

int mz_entry_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setaffinity_np)(mz_early_real_handle(thread), size, processors);
	return mz_thread_from(thread) ? 0 : ESRCH;
}
