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
#include "runtime/check.h"
#include "runtime/image.h"
#include "runtime/real.h"
#include "runtime/worker.h"
#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- is it used? ---- */

/* Symbols that are not hashed come first, and undefined ones are not hashed. */
static size_t undefined_symbols(const ElfW(Dyn) * dynamic, ElfW(Addr) base)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		if (dynamic->d_tag != DT_GNU_HASH) continue;
		uintptr_t table = dynamic->d_un.d_ptr < base ? base + dynamic->d_un.d_ptr : dynamic->d_un.d_ptr;
		return ((const uint32_t *)table)[1];
	}
	return 0;
}

static uintptr_t pointer(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag, ElfW(Addr) base)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == tag)
			return dynamic->d_un.d_ptr < base ? base + dynamic->d_un.d_ptr : dynamic->d_un.d_ptr;
	return 0;
}

static bool refers(const ElfW(Dyn) * dynamic, ElfW(Addr) base)
{
	const ElfW(Sym) *symbols = (const ElfW(Sym) *)pointer(dynamic, DT_SYMTAB, base);
	const char *names = (const char *)pointer(dynamic, DT_STRTAB, base);
	size_t count = undefined_symbols(dynamic, base);
	for (size_t i = 1; symbols && names && i < count; i++)
		if (symbols[i].st_shndx == SHN_UNDEF && strcmp(names + symbols[i].st_name, "mz_check") == 0)
			return true;
	return false;
}

static int module_refers(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	if (strstr(info->dlpi_name, "linux-vdso")) return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return refers((const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
			              info->dlpi_addr);
	return 0;
}

bool mz_check_is_used(void)
{
	return dl_iterate_phdr(module_refers, NULL) != 0;
}

/* ---- the function ---- */

struct test {
	void (*function)(void *);
	void *argument;
	void *stack_low; /* the caller's part of its stack */
	void *stack_high;
};

/* Where the stack of the running thread begins: its highest address, NULL if that is not known. */
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
	mz_rt.body = call_test;
	mz_rt.body_argument = test;
	mz_rt.exit_handlers = false;
	if (test->stack_high) mz_image_add(test->stack_low, test->stack_high);
	setenv("CMOCKA_TEST_ABORT", "1", 1); /* else its assertions jump out of the thread */
}

/* In a forked process. */
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
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return library ? (mz_check_function *)dlsym(library, MZ_CHECK_FUNCTION) : NULL;
}

MZ_EXPORT int mz_check(void (*function)(void *), void *argument, const mz_options *options)
{
	static uint32_t number;
	struct test test = {function, argument, __builtin_frame_address(0), NULL};
	if (mz_current) { /* part of a larger exploration */
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
