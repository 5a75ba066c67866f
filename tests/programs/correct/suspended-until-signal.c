/* SPDX-License-Identifier: MIT
 *
 * The signal is blocked while the thread looks at what the handler sets, and let through only while it waits.
 *
 * expect: optimal 4
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t told;

static void handle(int number)
{
	told = number;
}

static void *wait(void *arg)
{
	sigset_t none;
	sigemptyset(&none);
	while (!told) sigsuspend(&none);
	return arg;
}

int main(void)
{
	pthread_t thread;
	sigset_t signals;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}
