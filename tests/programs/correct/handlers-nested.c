/* SPDX-License-Identifier: MIT
 *
 * Of several signals that are pending at once, each handler interrupts the one before it that does not block its signal, as
 * in Linux: the last one is done first. A handler that resets its disposition is called once.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

int order[8], norder;

static void handle(int number)
{
	order[norder++] = number;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle}, old;
	sigset_t all;
	sigfillset(&all);
	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = 0;
	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	raise(SIGTERM);
	raise(SIGUSR1);
	raise(SIGUSR2);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	assert(norder == 3 && order[0] == SIGTERM && order[1] == SIGUSR2 && order[2] == SIGUSR1);
	sigaction(SIGUSR1, NULL, &old);
	assert(old.sa_handler == SIG_DFL);
	action.sa_mask = all;
	sigaction(SIGUSR1, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	raise(SIGUSR2);
	raise(SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	assert(norder == 5 && order[3] == SIGUSR1 && order[4] == SIGUSR2);
	return 0;
}
