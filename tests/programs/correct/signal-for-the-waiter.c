/* SPDX-License-Identifier: MIT
 *
 * All threads block a signal, and one waits for it. Sent to the process, the signal stays pending until that thread takes
 * it, whichever thread sends it, and carries what it was sent with.
 *
 * varies: states
 * expect: optimal 2
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t signals;

static void *wait(void *arg)
{
	siginfo_t info;
	int number = sigwaitinfo(&signals, &info);
	assert(number == SIGUSR2 && info.si_signo == SIGUSR2 && info.si_code == SI_QUEUE);
	assert(info.si_pid == getpid() && info.si_uid == getuid() && info.si_value.sival_int == 77);
	return arg;
}

int main(void)
{
	pthread_t thread;
	sigset_t pending;
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&thread, NULL, wait, NULL);
	assert(sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 77}) == 0);
	pthread_join(thread, NULL);
	sigpending(&pending);
	assert(!sigismember(&pending, SIGUSR2));
	return 0;
}
