/* SPDX-License-Identifier: MIT
 *
 * C++ variables that are initialised on first use, and those of threads that are destroyed with them.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/image.h"
#include "runtime/leaving.h"
#include "runtime/mutex.h"
#include <dlfcn.h>

/* Programs in C have no C++ library behind us: these are looked up when a C++ program calls them. */
static void *real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

int mz_entry___cxa_guard_acquire(uint64_t *guard);
int mz_entry___cxa_guard_acquire(uint64_t *guard)
{
	if (!MZ_SELF()) return ((int (*)(uint64_t *))real("__cxa_guard_acquire"))(guard);
	return mz_guard_acquire(mz_current, (uint8_t *)guard, MZ_CALLER());
}

void mz_entry___cxa_guard_release(uint64_t *guard);
void mz_entry___cxa_guard_release(uint64_t *guard)
{
	if (MZ_SELF())
		mz_guard_release(mz_current, (uint8_t *)guard, 1, MZ_CALLER());
	else
		((void (*)(uint64_t *))real("__cxa_guard_release"))(guard);
}

void mz_entry___cxa_guard_abort(uint64_t *guard);
void mz_entry___cxa_guard_abort(uint64_t *guard)
{
	if (MZ_SELF())
		mz_guard_release(mz_current, (uint8_t *)guard, 0, MZ_CALLER());
	else
		((void (*)(uint64_t *))real("__cxa_guard_abort"))(guard);
}

MZ_EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module);
MZ_EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module)
{
	typedef int register_function(void (*)(void *), void *, void *);
	if (!MZ_SELF()) return ((register_function *)real("__cxa_thread_atexit_impl"))(function, object, module);
	mz_leaving_destroy(mz_current, function, object);
	return 0;
}
