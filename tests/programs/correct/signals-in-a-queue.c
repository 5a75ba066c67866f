/* SPDX-License-Identifier: MIT
 *
 * Real-time signals that are blocked are queued with their values and come lowest number first, of one number in the order
 * in which they were sent. Other signals do not queue. Those of the thread come before those of the process.
 *
 * varies: states
 * expect: optimal 1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

struct {
	int number, code, value;
} seen[16];
int nseen;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	assert(info->si_signo == number && info->si_pid == getpid() && info->si_uid == getuid());
	seen[nseen].number = number;
	seen[nseen].code = info->si_code;
	seen[nseen++].value = info->si_code == SI_QUEUE ? info->si_value.sival_int : 0;
}

static void expect(int at, int number, int code, int value)
{
	assert(seen[at].number == number && seen[at].code == code && seen[at].value == value);
}

static void send(int number, int value)
{
	assert(sigqueue(getpid(), number, (union sigval){.sival_int = value}) == 0);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	sigset_t all;
	sigfillset(&all);
	action.sa_mask = all;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGRTMIN, &action, NULL);
	sigaction(SIGRTMIN + 1, &action, NULL);
	sigaction(SIGRTMAX, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	send(SIGRTMAX, 9);
	send(SIGRTMIN + 1, 1);
	send(SIGRTMIN, 2);
	send(SIGRTMIN + 1, 3);
	kill(getpid(), SIGUSR1);
	kill(getpid(), SIGUSR1);
	pthread_sigqueue(pthread_self(), SIGRTMIN + 1, (union sigval){.sival_int = 4});
	raise(SIGRTMAX);
	assert(!nseen);
	sigset_t pending;
	sigpending(&pending);
	assert(sigismember(&pending, SIGRTMAX) && sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	assert(nseen == 7);
	expect(0, SIGRTMIN + 1, SI_QUEUE, 4);
	expect(1, SIGRTMAX, SI_TKILL, 0);
	expect(2, SIGUSR1, SI_USER, 0);
	expect(3, SIGRTMIN, SI_QUEUE, 2);
	expect(4, SIGRTMIN + 1, SI_QUEUE, 1);
	expect(5, SIGRTMIN + 1, SI_QUEUE, 3);
	expect(6, SIGRTMAX, SI_QUEUE, 9);
	assert(kill(getpid(), 65) == -1 && kill(getpid(), 0) == 0);
	return 0;
}
