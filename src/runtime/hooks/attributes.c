/* SPDX-License-Identifier: MIT
 *
 * pthread: what threads are asked about themselves, and what they are told that changes nothing here (settings.h).
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
#include <stdio.h>
#include <string.h>

MZ_HOOKS_DECLARE(ATTRIBUTES)

int mz_entry_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getattr_np)(mz_early_real_handle(thread), attributes);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	pthread_attr_init(attributes);
	pthread_attr_setdetachstate(attributes, fiber->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
	/* the lowest part is for functions of ours */
	uint8_t *low = fiber->stack_low + MZ_LAYOUT_STACK_OURS;
	return pthread_attr_setstack(attributes, low, (size_t)(fiber->stack_high - low));
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
	if (size < sizeof fiber->name) return ERANGE; /* however short the name is */
	char told[sizeof fiber->name];
	snprintf(told, sizeof told, "%s", *fiber->name ? fiber->name : program_invocation_short_name);
	mz_plain_result(mz_current, name, told, strlen(told) + 1, MZ_CALLER());
	return 0;
}

/* ---- scheduling ---- */

int mz_entry_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getschedparam)(mz_early_real_handle(thread), policy, parameters);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	const struct mz_settings settings = mz_settings_of(fiber);
	const struct sched_param told = {.sched_priority = settings.priority};
	MZ_RESULT(mz_current, policy, settings.policy, MZ_CALLER());
	mz_plain_result(mz_current, parameters, &told, sizeof told, MZ_CALLER());
	return 0;
}

static int set_scheduling(const struct mz_fiber *fiber, int policy, int priority)
{
	int error = mz_settings_check(policy, priority);
	if (!error) mz_settings_schedule(fiber, policy, priority);
	return error;
}

int mz_entry_pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setschedparam)(mz_early_real_handle(thread), policy, parameters);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	return fiber ? set_scheduling(fiber, policy, parameters->sched_priority) : ESRCH;
}

int mz_entry_pthread_setschedprio(pthread_t thread, int priority)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setschedprio)(mz_early_real_handle(thread), priority);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	return fiber ? set_scheduling(fiber, mz_settings_of(fiber).policy, priority) : ESRCH;
}

int mz_entry_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getaffinity_np)(mz_early_real_handle(thread), size, processors);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	cpu_set_t asked;
	if (size < sizeof asked && MZ_REAL(sched_getaffinity)(0, size, &asked) < 0) return errno;
	const struct mz_settings settings = mz_settings_of(fiber);
	size_t told = size < sizeof settings.processors ? size : sizeof settings.processors;
	mz_plain_result(mz_current, processors, &settings.processors, told, MZ_CALLER());
	if (size > told) memset((char *)processors + told, 0, size - told);
	return 0;
}

int mz_entry_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setaffinity_np)(mz_early_real_handle(thread), size, processors);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	struct mz_settings settings = mz_settings_of(fiber);
	int error = mz_settings_check_processors(&settings.processors, processors, size);
	if (!error) mz_settings_set(fiber, &settings);
	return error;
}
