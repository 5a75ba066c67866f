/* SPDX-License-Identifier: MIT
 *
 * C++ variables that are initialised on first use, and those of threads that are destroyed with them.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/world/world.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

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

/* A std::type_info is a table of functions and a name, which begins with * where names are compared by address. */
struct type_info {
	const void *functions;
	const char *name;
};

const char *mz_cxx_exception(char *buffer, size_t size)
{
	typedef const struct type_info *current_function(void);
	typedef char *demangle_function(const char *, char *, size_t *, int *);
	current_function *current = (current_function *)dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
	demangle_function *demangle = (demangle_function *)dlsym(RTLD_DEFAULT, "__cxa_demangle");
	const struct type_info *type = current ? current() : NULL;
	if (!type) return NULL;
	const char *name = type->name + (*type->name == '*');
	int status = -1;
	char *words = demangle ? demangle(name, NULL, NULL, &status) : NULL;
	snprintf(buffer, size, "%s", words && status == 0 ? words : name);
	free(words); /* free() of the program's own heap, from which libraries get their memory */
	return buffer;
}

int mz_entry___cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module);
int mz_entry___cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module)
{
	typedef int register_function(void (*)(void *), void *, void *);
	if (MZ_SELF()) {
		mz_leaving_destroy(mz_current, function, object);
		return 0;
	}
	if (MZ_IS_EARLY() && mz_early_is_first()) mz_leaving_destroy(&mz_rt.fibers[0], function, object);
	return ((register_function *)real("__cxa_thread_atexit_impl"))(function, object, module);
}
