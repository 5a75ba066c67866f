/* SPDX-License-Identifier: MIT
 *
 * POSIX semaphores, unnamed and named. They return -1 and leave the reason in errno.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

MZ_HOOKS_DECLARE(SEMAPHORE)

static int status(int error)
{
	if (!error) return 0;
	errno = error;
	return -1;
}

int mz_entry_sem_init(sem_t *semaphore, int shared, unsigned value)
{
	if (!MZ_SELF()) return MZ_REAL(sem_init)(semaphore, shared, value);
	int error = mz_semaphore_init(mz_current, semaphore, value, MZ_CALLER());
	return error ? status(error) : MZ_REAL(sem_init)(semaphore, shared, value);
}

int mz_entry_sem_destroy(sem_t *semaphore)
{
	if (!MZ_SELF()) return MZ_REAL(sem_destroy)(semaphore);
	return status(mz_semaphore_destroy(mz_current, semaphore, MZ_CALLER()));
}

int mz_entry_sem_wait(sem_t *semaphore)
{
	if (!MZ_SELF()) return MZ_REAL(sem_wait)(semaphore);
	if (mz_fails_once(mz_current, MZ_FAULT_SEM_WAIT_EINTR, MZ_CALLER())) return status(EINTR);
	return status(mz_semaphore_take(mz_current, semaphore, MZ_CALLER()));
}

int mz_entry_sem_trywait(sem_t *semaphore)
{
	if (!MZ_SELF()) return MZ_REAL(sem_trywait)(semaphore);
	return status(mz_semaphore_trytake(mz_current, semaphore, MZ_CALLER()));
}

int mz_entry_sem_post(sem_t *semaphore)
{
	if (!MZ_SELF()) return MZ_REAL(sem_post)(semaphore);
	return status(mz_semaphore_post(mz_current, semaphore, MZ_CALLER()));
}

int mz_entry_sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(sem_timedwait)(semaphore, until);
	if (mz_fails_once(mz_current, MZ_FAULT_SEM_WAIT_EINTR, MZ_CALLER())) return status(EINTR);
	return status(mz_semaphore_timedtake(mz_current, semaphore, mz_time_from(CLOCK_REALTIME, until), MZ_CALLER()));
}

int mz_entry_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
	if (!MZ_SELF()) return MZ_REAL(sem_clockwait)(semaphore, clock, until);
	if (!mz_time_is_waited_for(clock)) return status(EINVAL);
	if (mz_fails_once(mz_current, MZ_FAULT_SEM_WAIT_EINTR, MZ_CALLER())) return status(EINTR);
	return status(mz_semaphore_timedtake(mz_current, semaphore, mz_time_from(clock, until), MZ_CALLER()));
}

int mz_entry_sem_getvalue(sem_t *semaphore, int *value)
{
	if (!MZ_SELF()) return MZ_REAL(sem_getvalue)(semaphore, value);
	return status(mz_semaphore_value(mz_current, semaphore, value, MZ_CALLER()));
}

/* ---- by name ---- */

MZ_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	unsigned value = 0;
	if (flags & O_CREAT) {
		va_list more;
		va_start(more, flags);
		mode = va_arg(more, mode_t);
		value = va_arg(more, unsigned);
		va_end(more);
	}
	if (!MZ_SELF()) return MZ_REAL(sem_open)(name, flags, mode, value);
	sem_t *semaphore = SEM_FAILED;
	return status(mz_semaphore_open(mz_current, name, flags, value, &semaphore, MZ_CALLER())) ? SEM_FAILED
	                                                                                          : semaphore;
}

int mz_entry_sem_close(sem_t *semaphore)
{
	if (!MZ_SELF()) return MZ_REAL(sem_close)(semaphore);
	return status(mz_semaphore_close(mz_current, semaphore, MZ_CALLER()));
}

int mz_entry_sem_unlink(const char *name)
{
	if (!MZ_SELF()) return MZ_REAL(sem_unlink)(name);
	return status(mz_semaphore_unlink(mz_current, name, MZ_CALLER()));
}
