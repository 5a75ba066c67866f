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
#include <unistd.h>

MZ_HOOKS_DECLARE(ATTRIBUTES)

int mz_entry_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getattr_np)(mz_early_real_handle(thread), attributes);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	mz_current->lends_heap = true;
	int error = mz_attributes_tell(fiber, attributes);
	mz_current->lends_heap = false;
	return error;
}

/* Attributes have blocks of the C library for sets of processors and signals. These are the program's, as it would be
 * with the attributes themselves. */
#define SET_IN_HEAP(name, arguments)                                                                                   \
	{                                                                                                              \
		if (!MZ_SELF()) return MZ_REAL(name) arguments;                                                        \
		mz_current->lends_heap = true;                                                                         \
		int error = MZ_REAL(name) arguments;                                                                   \
		mz_current->lends_heap = false;                                                                        \
		return error;                                                                                          \
	}

int mz_entry_pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *processors)
    SET_IN_HEAP(pthread_attr_setaffinity_np, (attributes, size, processors))

        int mz_entry_pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask)
            SET_IN_HEAP(pthread_attr_setsigmask_np, (attributes, mask))

                int mz_entry_pthread_getattr_default_np(pthread_attr_t *attributes)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getattr_default_np)(attributes);
	const struct mz_attributes defaults = mz_attributes_read(NULL);
	mz_current->lends_heap = true;
	int error = mz_attributes_write(attributes, &defaults);
	mz_current->lends_heap = false;
	return error;
}

int mz_entry_pthread_setattr_default_np(const pthread_attr_t *attributes)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setattr_default_np)(attributes);
	mz_spin_forget(mz_current);
	return mz_attributes_set_default(attributes);
}

/* The clock of a thread is one by which nobody waits, and shows the thread's time as its other clocks do. */
int mz_entry_pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getcpuclockid)(mz_early_real_handle(thread), clock);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	MZ_RESULT(mz_current, clock, mz_time_clock_of(fiber), MZ_CALLER());
	return 0;
}

int mz_entry_pthread_setname_np(pthread_t thread, const char *name)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setname_np)(mz_early_real_handle(thread), name);
	struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	if (strlen(name) >= sizeof fiber->name) return ERANGE;
	mz_settings_set_name(fiber, name);
	return 0;
}

int mz_entry_pthread_getname_np(pthread_t thread, char *name, size_t size)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getname_np)(mz_early_real_handle(thread), name, size);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	if (size < sizeof fiber->name) return ERANGE; /* however short the name is */
	char told[sizeof fiber->name];
	mz_settings_get_name(fiber, told);
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

/* The kernel refuses what is no multiple of a word, or too small for the processors that there could be. */
static int get_processors(const struct mz_fiber *fiber, size_t size, cpu_set_t *processors, uintptr_t caller)
{
	cpu_set_t asked;
	bool small = size < sizeof asked && MZ_REAL(sched_getaffinity)(0, size, &asked) < 0;
	if (small || size % sizeof(long)) return EINVAL;
	const struct mz_settings settings = mz_settings_of(fiber);
	size_t told = size < sizeof settings.processors ? size : sizeof settings.processors;
	mz_plain_result(mz_current, processors, &settings.processors, told, caller);
	if (size > told) memset((char *)processors + told, 0, size - told);
	return 0;
}

static int set_processors(const struct mz_fiber *fiber, size_t size, const cpu_set_t *processors)
{
	struct mz_settings settings = mz_settings_of(fiber);
	int error = mz_settings_check_processors(&settings.processors, processors, size);
	if (!error) mz_settings_set(fiber, &settings);
	return error;
}

int mz_entry_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_getaffinity_np)(mz_early_real_handle(thread), size, processors);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	return get_processors(fiber, size, processors, MZ_CALLER());
}

int mz_entry_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(pthread_setaffinity_np)(mz_early_real_handle(thread), size, processors);
	const struct mz_fiber *fiber = mz_thread_from(thread);
	if (!fiber) return ESRCH;
	return set_processors(fiber, size, processors);
}

/* ---- scheduling by the numbers that the kernel gives ---- */

/* All threads have the number of the process here: whoever names it, or 0, means itself. */
static const struct mz_fiber *named_by(pid_t number)
{
	return number == 0 || number == getpid() ? mz_current : NULL;
}

/* Other processes are the kernel's. To set what they have is listed. */
static void lists_process(pid_t number)
{
	if (number > 0) mz_uncontrolled(MZ_UNCONTROLLED_SCHEDULING);
}

static int status(int error)
{
	if (!error) return 0;
	errno = error;
	return -1;
}

int mz_entry_sched_getscheduler(pid_t number)
{
	if (!MZ_SELF() || !named_by(number)) return MZ_REAL(sched_getscheduler)(number);
	return mz_settings_of(mz_current).policy;
}

int mz_entry_sched_setscheduler(pid_t number, int policy, const struct sched_param *parameters)
{
	if (!MZ_SELF()) return MZ_REAL(sched_setscheduler)(number, policy, parameters);
	if (named_by(number)) return status(set_scheduling(mz_current, policy, parameters->sched_priority));
	lists_process(number);
	return MZ_REAL(sched_setscheduler)(number, policy, parameters);
}

int mz_entry_sched_getparam(pid_t number, struct sched_param *parameters)
{
	if (!MZ_SELF() || !named_by(number)) return MZ_REAL(sched_getparam)(number, parameters);
	const struct sched_param told = {.sched_priority = mz_settings_of(mz_current).priority};
	mz_plain_result(mz_current, parameters, &told, sizeof told, MZ_CALLER());
	return 0;
}

int mz_entry_sched_setparam(pid_t number, const struct sched_param *parameters)
{
	if (!MZ_SELF()) return MZ_REAL(sched_setparam)(number, parameters);
	if (named_by(number))
		return status(
		    set_scheduling(mz_current, mz_settings_of(mz_current).policy, parameters->sched_priority));
	lists_process(number);
	return MZ_REAL(sched_setparam)(number, parameters);
}

int mz_entry_sched_getaffinity(pid_t number, size_t size, cpu_set_t *processors)
{
	if (!MZ_SELF() || !named_by(number)) return MZ_REAL(sched_getaffinity)(number, size, processors);
	return status(get_processors(mz_current, size, processors, MZ_CALLER()));
}

int mz_entry_sched_setaffinity(pid_t number, size_t size, const cpu_set_t *processors)
{
	if (!MZ_SELF()) return MZ_REAL(sched_setaffinity)(number, size, processors);
	if (named_by(number)) return status(set_processors(mz_current, size, processors));
	lists_process(number);
	return MZ_REAL(sched_setaffinity)(number, size, processors);
}
