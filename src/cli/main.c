/* SPDX-License-Identifier: MIT
 *
 * The command `mazurka`: finds the subcommand. Called as mazurka-cc or mazurka-c++ it is the compiler driver.
 */
#include "base/bug.h"
#include "cli/cc.h"
#include "cli/replay.h"
#include "cli/run.h"
#include "cli/show.h"
#include "cli/worker.h"
#include "cluster/address.h"
#include "report/say.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int cc(int argc, char **argv)
{
	return mz_cc_main(argc, argv, false);
}

static int cxx(int argc, char **argv)
{
	return mz_cc_main(argc, argv, true);
}

/* The commands. Each function is called with the name of the command as argv[0]. */
static const struct {
	const char *name;
	int (*function)(int argc, char **argv);
	const char *arguments;
	const char *help;
} commands[] = {
    {"cc", cc, "[arguments of gcc or clang]", "build a C program for exploration"},
    {"c++", cxx, "[arguments of g++ or clang++]", "build a C++ program for exploration"},
    {"run", mz_run_main, "[options] [--] PROGRAM [ARGS...]", "explore its interleavings"},
    {"worker", mz_worker_main, "--cluster URL [-- PROGRAM]", "take part in a run over several machines"},
    {"replay", mz_replay_main, "TRACE [--gdb] [--step] [-- PROGRAM...]", "run one recorded execution again"},
    {"show", mz_show_main, "TRACE", "print a recorded execution"},
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

static int usage(FILE *out)
{
	fputs("Mazurka explores the interleavings of a multithreaded C or C++ program, each once.\n\nusage:\n", out);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  mazurka %-6s %-36s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
	fputs("  mazurka help [COMMAND], mazurka --version\n", out);
	return 0;
}

static int find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0) return (int)i;
	return -1;
}

static int help(int argc, char **argv)
{
	if (argc < 2) return usage(stdout);
	int found = find(argv[1]);
	if (found < 0) return mz_refuse("there is no command '%s' (see mazurka help)", argv[1]);
	char *arguments[] = {argv[1], "--help", NULL};
	return commands[found].function(2, arguments);
}

/* Reports a crash of Mazurka itself as an internal error. */
static void crash(int number, siginfo_t *info, void *context)
{
	char text[64];
	(void)context;
	/* another process sent the signal: it takes its usual effect */
	if (info->si_code <= 0 && info->si_pid != getpid()) {
		raise(number);
		return;
	}
	snprintf(text, sizeof text, "SIG%s at address %p", sigabbrev_np(number), info->si_addr);
	MZ_BUG(text);
}

static void listen_for_crashes(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	static char stack[64 * 1024];
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
	struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
}

/* Opens standard streams that are closed, so that files opened later do not get their numbers. */
static void open_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
}

int main(int argc, char **argv)
{
	open_standard_streams();
	listen_for_crashes();
	mz_password_hide();
	if (argc < 1) return mz_refuse("no command given (see mazurka help)");
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	if (strcmp(name, "mazurka-cc") == 0) return cc(argc, argv);
	if (strcmp(name, "mazurka-c++") == 0) return cxx(argc, argv);
	if (argc < 2) return mz_refuse("no command given (see mazurka help)");
	if (strcmp(argv[1], "--version") == 0) return printf("mazurka %s\n", MZ_VERSION) < 0;
	if (strcmp(argv[1], "--help") == 0) return usage(stdout);
	if (strcmp(argv[1], "help") == 0) return help(argc - 1, argv + 1);
	int found = find(argv[1]);
	if (found < 0) return mz_refuse("there is no command '%s' (see mazurka help)", argv[1]);
	return commands[found].function(argc - 1, argv + 1);
}
