/* SPDX-License-Identifier: MIT
 *
 * The compiler's driver believes that it calls an assembler: all that it does around that, from several sources in one
 * command to lists of dependencies, works as ever.
 */
#include "cli/as_symbolic.h"
#include "cli/args.h"
#include "cli/as.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what)
{
	fprintf(stderr, "mazurka cc: cannot run %s: %s\n", what, strerror(errno));
	return 2;
}

bool mz_as_is_bitcode(const char *text, size_t length)
{
	return getenv(MZ_AS_SYMBOLIC) && length >= 4 && memcmp(text, "BC\xc0\xde", 4) == 0;
}

/* Runs a command and waits for its end. Returns its exit status, or -1 if it could not be run. */
static int run(char *const *command)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		execv(command[0], command);
		_exit(fail(command[0]));
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static const char *output_of(char **argv)
{
	for (; *argv; argv++)
		if (strcmp(*argv, "-o") == 0 && argv[1]) return argv[1];
	return "a.out";
}

int mz_as_compile(char **argv, const char *input)
{
	char *rest = getenv(MZ_AS_SYMBOLIC), *instrumenter = strsep(&rest, "\n"), between[64];
	struct mz_args command = {0};
	int fd = memfd_create("mazurka-instrumented", 0); /* both commands inherit it */
	if (fd < 0) return fail(instrumenter);
	snprintf(between, sizeof between, "/proc/self/fd/%d", fd);
	int status = run((char *[]){instrumenter, (char *)input, between, NULL});
	if (status < 0) return fail(instrumenter);
	if (status > 0) return status;
	for (char *word; (word = strsep(&rest, "\n"));) mz_args_add(&command, word);
	mz_args_add_all(&command, (const char *const[]){"-x", "ir", "-c", between, "-o", output_of(argv), NULL});
	if (command.failed) return fail("the compiler");
	unsetenv(MZ_AS_SYMBOLIC);
	execvp(command.items[0], command.items);
	return fail(command.items[0]);
}
