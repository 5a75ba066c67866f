# SPDX-License-Identifier: MIT
# Programs that do what is not modelled: one line says so, and by themselves they work.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

cat >refusals.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static int child_of_clone(void *status)
{
	return *(int *)status;
}
/* A signal that is blocked is read from a descriptor. */
static int reads_signal(int by_number)
{
	sigset_t signals;
	struct signalfd_siginfo info;
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	int fd = by_number ? (int)syscall(SYS_signalfd4, -1, &signals, (size_t)8, 0) : signalfd(-1, &signals, 0);
	pthread_kill(pthread_self(), SIGUSR1);
	return read(fd, &info, sizeof info) != sizeof info || info.ssi_signo != SIGUSR1;
}
static void nothing(void)
{
}
static void *cancelled(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;) pause();
	return arg;
}
static int ends(pid_t child)
{
	int status;
	return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
int main(int argc, char **argv)
{
	char *command[] = {"true", NULL};
	pid_t child = 0;
	pthread_t thread;
	if (argc < 2) return 0;
	if (strcmp(argv[1], "fork") == 0) {
		child = fork();
		if (!child) _exit(0);
		return ends(child);
	}
	if (strcmp(argv[1], "vfork") == 0) {
		child = vfork();
		if (!child) _exit(0);
		return ends(child);
	}
	if (strcmp(argv[1], "atfork") == 0) return pthread_atfork(nothing, nothing, nothing);
	if (strcmp(argv[1], "spawn") == 0) {
		if (posix_spawnp(&child, "true", NULL, NULL, command, environ)) return 1;
		return ends(child);
	}
	if (strcmp(argv[1], "clone") == 0) {
		static char stack[65536];
		int status = 0;
		return ends(clone(child_of_clone, stack + sizeof stack, SIGCHLD, &status, NULL, NULL, NULL));
	}
	if (strcmp(argv[1], "number") == 0) {
		child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (!child) _exit(0);
		return ends(child);
	}
	if (strcmp(argv[1], "exec") == 0)
		return execlp("sh", "sh", "-c", "test $6 = 6", "0", "1", "2", "3", "4", "5", "6", (char *)NULL);
	if (strcmp(argv[1], "signalfd") == 0) return reads_signal(0);
	if (strcmp(argv[1], "signalfd4") == 0) return reads_signal(1);
	if (strcmp(argv[1], "ended") == 0) return (int)syscall(SYS_exit_group, 0) + 1;
	pthread_create(&thread, NULL, cancelled, NULL);
	pthread_cancel(thread);
	return pthread_join(thread, NULL);
}
END
check "a program that is more than threads" "$BUILD/mazurka" cc -g refusals.c -o refusals -pthread
for what in fork vfork atfork spawn cancel clone number exec signalfd signalfd4 ended; do check "$what by itself" ./refusals $what; done
program="mazurka: $PWD/refusals cannot be explored:"
not_modelled="$program it calls"
refused "fork" "$not_modelled fork, which is not modelled" $run ./refusals fork
refused "vfork" "$not_modelled vfork, which is not modelled" $run ./refusals vfork
refused "posix_spawn" "$not_modelled posix_spawnp, which is not modelled" $run ./refusals spawn
refused "clone" "$not_modelled clone, which is not modelled" $run ./refusals clone
refused "a process by number" "$not_modelled clone by its number (syscall), which is not modelled" $run ./refusals number
refused "another program" "$not_modelled execlp, which is not modelled" $run ./refusals exec
refused "signals from a descriptor" "$not_modelled signalfd, which is not modelled" $run ./refusals signalfd
refused "and by number" "$not_modelled signalfd4 by its number (syscall), which is not modelled" $run ./refusals signalfd4
check "the end by number is an end" $run --quiet ./refusals ended
check "that a thread may be cancelled anywhere is not explored" $run ./refusals cancel
equal "and that is listed" "uncontrolled: asynchronous cancelling" "$(sed -n 's/^\(uncontrolled: .*\), [0-9]* calls$/\1/p' check.out)"
check "what it does not come to is no matter" $run --quiet ./refusals

# A library that is not instrumented: nobody expects that it asks anything of threads.
cat >asks.c <<'END'
#include <pthread.h>
#include <signal.h>
void ask(pthread_t thread, int cancels)
{
	if (cancels)
		pthread_cancel(thread);
	else
		pthread_kill(thread, SIGUSR1);
}
END
cat >asked.c <<'END'
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>
void ask(pthread_t thread, int cancels);
static void *run(void *unused)
{
	pause();
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	(void)argv;
	pthread_create(&thread, NULL, run, NULL);
	ask(thread, argc > 1);
	return pthread_join(thread, NULL);
}
END
cc -g -shared -fPIC asks.c -o libasks.so -pthread
check "a library that asks" "$BUILD/mazurka" cc -g asked.c -o asked -pthread -L. -lasks -Wl,-rpath,"$PWD"
other="that was not built with mazurka cc: build it so"
refused "its cancellation" "mazurka: $PWD/asked cannot be explored: a library cancels threads $other" $run ./asked 1
refused "its signals" "mazurka: $PWD/asked cannot be explored: a library sends signals $other" $run ./asked
