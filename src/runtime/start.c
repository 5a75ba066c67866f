/* SPDX-License-Identifier: MIT
 *
 * Where the library takes over. Loaded by itself, the program runs as it is. Started by a supervisor (MAZURKA_SESSION
 * names a file descriptor), its main function is explored instead, and the process ends when that is done. A program
 * that calls mz_check() has its heap with us from the start: what it allocates before is part of what is restored.
 */
#include "runtime/check.h"
#include "runtime/early.h"
#include "runtime/heap.h"
#include "runtime/image.h"
#include "runtime/real.h"
#include "runtime/signals.h"
#include "runtime/worker.h"
#include <stdlib.h>
#include <unistd.h>

/* Runs before the program's own constructors: what they allocate is already the program's heap. */
__attribute__((constructor(101))) static void load(void)
{
	const char *fd = getenv(MZ_SESSION_VARIABLE);
	if (fd && *fd) mz_rt.session = mz_worker_attach(atoi(fd));
	if (!mz_rt.session && !mz_check_is_used()) return;
	mz_fiber_init();
	mz_early_init();
	mz_signals_init();
	mz_image_init();
	mz_heap_init();
}

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void *, void *, void *, void *);

static main_function program_main;

struct arguments {
	int argc;
	char **argv;
	char **envp;
};

static int call_main(void *argument)
{
	const struct arguments *arguments = argument;
	return program_main(arguments->argc, arguments->argv, arguments->envp);
}

static int start(int argc, char **argv, char **envp)
{
	struct arguments arguments = {argc, argv, envp};
	if (!mz_rt.session || mz_rt.session->check) return program_main(argc, argv, envp);
	unsetenv(MZ_SESSION_VARIABLE);
	mz_rt.argc = argc;
	mz_rt.argv = argv;
	mz_rt.body = call_main;
	mz_rt.body_argument = &arguments;
	mz_rt.exit_handlers = true;
	mz_worker_serve(mz_rt.session);
}

/* The first function of the C library that a program calls: it gets our main instead of the program's. */
MZ_EXPORT int mz_libc_start_main(main_function, int, char **, void *, void *, void *,
                                 void *) __asm__("__libc_start_main");
int mz_libc_start_main(main_function function, int argc, char **argv, void *init, void *fini, void *loader_fini,
                       void *stack_end)
{
	start_function real = (start_function)mz_real_find("__libc_start_main");
	program_main = function;
	return real(start, argc, argv, init, fini, loader_fini, stack_end);
}
