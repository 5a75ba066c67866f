/* SPDX-License-Identifier: MIT
 *
 * How programs end: assertions, abort, exit and its handlers.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/world/world.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __cxa_atexit(void (*function)(void *), void *argument, void *module);
int __cxa_at_quick_exit(void (*function)(void *), void *module);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module);

MZ_HOOKS_DECLARE(EXIT)

MZ_EXPORT void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self) MZ_REAL(__assert_fail)(assertion, file, line, function);
	struct mz_report report = {
	    .kind = MZ_FINDING_ASSERTION, .place = {self, MZ_CALLER(), NULL}, .file = file, .line = line};
	mz_report(&report, "%s", assertion);
	mz_thread_failed(self);
}

MZ_EXPORT void __assert(const char *assertion, const char *file, int line)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self) MZ_REAL(__assert)(assertion, file, line);
	struct mz_report report = {
	    .kind = MZ_FINDING_ASSERTION, .place = {self, MZ_CALLER(), NULL}, .file = file, .line = (uint32_t)line};
	mz_report(&report, "%s", assertion);
	mz_thread_failed(self);
}

MZ_EXPORT void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self) MZ_REAL(__assert_perror_fail)(error, file, line, function);
	struct mz_report report = {
	    .kind = MZ_FINDING_ASSERTION, .place = {self, MZ_CALLER(), NULL}, .file = file, .line = line};
	mz_report(&report, "unexpected error %d", error);
	mz_thread_failed(self);
}

/* Returns the first caller that belongs to the program: libraries call abort() from one place for all programs. */
static uintptr_t program_caller(uintptr_t caller)
{
	uintptr_t found = mz_image_program_frame();
	bool own = caller - mz_image_program_start < mz_image_program_size;
	return own || !found ? caller : found;
}

/* Adds what the program wrote to standard error, and the exception that led to the abort unless the text names it. */
static void explain_abort(struct mz_fiber *self, char *text, size_t size)
{
	char type[96];
	const char *said = mz_said_last(self);
	int length = snprintf(text, size, "%s%s", *said ? ": " : "", said);
	const char *exception = mz_cxx_exception(type, sizeof type);
	if (exception && !strstr(text, exception) && (size_t)length < size)
		snprintf(text + length, size - (size_t)length, " (exception of type '%s')", exception);
}

MZ_EXPORT void abort(void)
{
	struct mz_fiber *self = MZ_SELF();
	if (!self) MZ_REAL(abort)();
	char words[192];
	explain_abort(self, words, sizeof words);
	struct mz_report report = {.kind = MZ_FINDING_ASSERTION,
	                           .key = mz_said_hash(words),
	                           .place = {self, program_caller(MZ_CALLER()), NULL}};
	mz_report(&report, "abort%s", words);
	mz_thread_failed(self);
}

MZ_EXPORT void exit(int status)
{
	if (!MZ_SELF()) MZ_REAL(exit)(status);
	mz_exit_program(mz_current, status, MZ_EXIT_HANDLERS, MZ_CALLER());
}

MZ_EXPORT void _exit(int status)
{
	if (!MZ_SELF()) MZ_REAL(_exit)(status);
	mz_exit_program(mz_current, status, MZ_EXIT_NOW, MZ_CALLER());
}

MZ_EXPORT void _Exit(int status)
{
	if (!MZ_SELF()) MZ_REAL(_exit)(status);
	mz_exit_program(mz_current, status, MZ_EXIT_NOW, MZ_CALLER());
}

MZ_EXPORT void quick_exit(int status)
{
	if (!MZ_SELF()) MZ_REAL(quick_exit)(status);
	mz_exit_program(mz_current, status, MZ_EXIT_QUICK, MZ_CALLER());
}

int mz_entry___cxa_atexit(void (*function)(void *), void *argument, void *module)
{
	if (!mz_rt.session) return MZ_REAL(__cxa_atexit)(function, argument, module);
	return mz_exit_register((void *)function, argument, module, false, MZ_CALLER()) ? 0 : -1;
}

int mz_entry___cxa_at_quick_exit(void (*function)(void *), void *module)
{
	if (!mz_rt.session) return MZ_REAL(__cxa_at_quick_exit)(function, module);
	return mz_exit_register_quick((void *)function, module, MZ_CALLER()) ? 0 : -1;
}

int mz_entry_on_exit(void (*function)(int, void *), void *argument)
{
	if (!mz_rt.session) return MZ_REAL(on_exit)(function, argument);
	return mz_exit_register((void *)function, argument, NULL, true, MZ_CALLER()) ? 0 : -1;
}

/* What pthread_atfork comes to. A program that is explored does not fork: its handlers are never called, and must not
 * be when the library itself does (isolation.c). */
int mz_entry___register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module)
{
	bool explored = mz_rt.session && mz_image_owns_code(MZ_CALLER());
	return explored ? 0 : MZ_REAL(__register_atfork)(prepare, parent, child, module);
}
