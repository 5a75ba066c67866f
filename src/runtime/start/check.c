/* SPDX-License-Identifier: MIT
 *
 * Processes are forked from the calling one, as it is when mz_check() is called: each explores or replays the function
 * and ends. Waiting for them, naming what they find and writing it down is the work of a library that is loaded only
 * here: programs under test do not carry it.
 *
 * What the caller has on its stack is restored before each execution like everything else of the program's.
 *
 * In a replay of a trace of the n-th mz_check(), the process itself replays it there; the others are passed over.
 */
#include "runtime/start/check.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/start/worker.h"
#include "runtime/watch/watch.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- is it used? ---- */

static bool is_mz_check(const char *module, const char *symbol)
{
	(void)module;
	return strcmp(symbol, "mz_check") == 0;
}

bool mz_check_is_used(void)
{
	return mz_imports_any(is_mz_check);
}

/* ---- the function ---- */

struct test {
	void (*function)(void *);
	void *argument;
	void *stack_low; /* the caller's part of its stack */
	void *stack_high;
};

/* Returns the highest address of the running thread's stack; NULL if that is not known. */
static void *stack_base(void)
{
	pthread_attr_t attributes;
	void *low = NULL;
	size_t size = 0;
	if (MZ_REAL(pthread_getattr_np)(MZ_REAL(pthread_self)(), &attributes) != 0) return NULL;
	pthread_attr_getstack(&attributes, &low, &size);
	pthread_attr_destroy(&attributes);
	return (char *)low + size;
}

static int call_test(void *argument)
{
	const struct test *test = argument;
	test->function(test->argument);
	return 0;
}

static void prepare(struct test *test)
{
	mz_rt.program.body = call_test;
	mz_rt.program.argument = test;
	mz_rt.program.function = (uintptr_t)test->function;
	mz_rt.program.exit_handlers = false;
	if (test->stack_high) mz_image_add_stack(test->stack_low, test->stack_high);
	setenv("CMOCKA_TEST_ABORT", "1", 1); /* else its assertions jump out of the thread */
}

/* Serves the session. Runs in a forked process. */
static void serve(void *argument, int session_fd)
{
	prepare(argument);
	mz_rt.session = mz_worker_attach(session_fd);
	if (mz_rt.session) mz_worker_serve(mz_rt.session);
}

static mz_check_function *find_reporter(void)
{
	Dl_info own;
	char path[PATH_MAX];
	if (!dladdr((void *)find_reporter, &own)) return NULL;
	const char *slash = strrchr(own.dli_fname, '/');
	snprintf(path, sizeof path, "%.*s" MZ_CHECK_LIBRARY, slash ? (int)(slash - own.dli_fname) + 1 : 0,
	         own.dli_fname);
	mz_unobserved_before_own();
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	mz_unobserved_after_own();
	return library ? (mz_check_function *)dlsym(library, MZ_CHECK_FUNCTION) : NULL;
}

MZ_EXPORT int mz_check(void (*function)(void *), void *argument, const mz_options *options)
{
	static uint32_t number;
	struct test test = {function, argument, __builtin_frame_address(0), NULL};
	if (mz_current) { /* called within an exploration */
		function(argument);
		return 0;
	}
	number++;
	test.stack_high = stack_base();
	if (mz_rt.session) {
		if (mz_rt.session->check != number) return 0;
		prepare(&test);
		mz_worker_serve(mz_rt.session);
	}
	mz_check_function *run = find_reporter();
	if (!run) {
		fprintf(stderr, "mazurka: mz_check: cannot load " MZ_CHECK_LIBRARY ": %s\n", dlerror());
		return 2;
	}
	const struct mz_check_request request = {options, number, serve, &test};
	return run(&request);
}
