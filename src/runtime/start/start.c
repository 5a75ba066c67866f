/* SPDX-License-Identifier: MIT
 *
 * Where the library takes over. Loaded by itself, the program runs as it is. Started by a supervisor (MAZURKA_SESSION
 * names a file descriptor), its main function is explored instead, and the process ends when that is done. A program
 * that calls mz_check() has its heap with us from the start: what it allocates before is part of what is restored.
 */
#include "concolic/abi.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/schedule/schedule.h"
#include "runtime/start/check.h"
#include "runtime/start/worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The environment as it was given to the process: the C library may not have found it yet. */
static const char *variable(char **environment, const char *name)
{
	size_t length = strlen(name);
	for (; *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/* Runs before the constructors of the program and of all its libraries, the C library's too (the library is linked with
 * -z initfirst): what they allocate is already the program's heap, and what they do is noted (early.h). */
static void load(int argc, char **argv, char **environment)
{
	(void)argc, (void)argv;
	const char *fd = variable(environment, MZ_SESSION_VARIABLE);
	if (fd && *fd) mz_rt.session = mz_worker_attach(atoi(fd));
	if (!mz_rt.session && !mz_check_is_used()) return;
	mz_real_allocator();
	mz_fiber_init();
	mz_early_init();
	mz_signals_init();
	mz_image_init();
	mz_heap_init();
}

/* An entry of the table itself: functions that are declared to be constructors get no arguments. */
__attribute__((section(".init_array.00101"), used)) static void (*const loads)(int, char **, char **) = load;

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void *, void *, void *, void *);

static main_function program_main;

struct main_arguments {
	int argc;
	char **argv;
	char **envp;
};

/* Makes a branch of whether main returns 0, where that depends on inputs. */
static int decided(int status)
{
	uint32_t shadow = 0, width = 8 * sizeof status;
	if (mz_inputs_space) shadow = __mz_sym_result((const void *)program_main, 0, (uint32_t)status, width);
	if (!shadow) return status;
	uint32_t zero = mz_inputs_constant(32, 0), condition = mz_inputs_make(MZ_OPERATOR_EQ, 1, shadow, zero, 0);
	mz_path_branch(mz_current, condition, status == 0, mz_rt.program.function);
	return status;
}

/* Calls main with further arguments that are inputs. They lie on its thread's stack, which is restored with the rest of
 * the program's memory. */
static __attribute__((noinline)) int call_with_inputs(const struct main_arguments *arguments, uint32_t count,
                                                      uint32_t size)
{
	size_t argc = (size_t)arguments->argc, room = size + 1;
	char *argv[argc + count + 1], texts[count * room], name[16];
	memcpy(argv, arguments->argv, argc * sizeof *argv);
	for (uint32_t n = 0; n < count; n++) {
		snprintf(name, sizeof name, "arg%u", n + 1);
		argv[argc + n] = texts + n * room;
		mz_input_give(mz_current, n + 1, argv[argc + n], size, name);
		argv[argc + n][size] = 0;
	}
	argv[argc + count] = NULL;
	return decided(program_main((int)(argc + count), argv, arguments->envp));
}

static int call_main(void *argument)
{
	const struct main_arguments *arguments = argument;
	const struct mz_argument_shape *further = &mz_rt.session->configuration.symbolic_args;
	mz_stdin_begin(mz_current);
	if (further->count) return call_with_inputs(arguments, further->count, further->size);
	return decided(program_main(arguments->argc, arguments->argv, arguments->envp));
}

static int main_or_worker(int argc, char **argv, char **envp)
{
	if (!mz_rt.session || mz_rt.session->check) return program_main(argc, argv, envp);
	unsetenv(MZ_SESSION_VARIABLE);
	mz_library_adopt(argc, &argv, &envp);
	struct main_arguments arguments = {argc, argv, envp};
	mz_rt.program.argc = argc;
	mz_rt.program.argv = argv;
	mz_rt.program.body = call_main;
	mz_rt.program.argument = &arguments;
	mz_rt.program.function = (uintptr_t)program_main;
	mz_rt.program.exit_handlers = true;
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
	return real(main_or_worker, argc, argv, init, fini, loader_fini, stack_end);
}
