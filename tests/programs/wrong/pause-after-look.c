/* SPDX-License-Identifier: MIT
 *
 * The signal may come after the thread has looked at what the handler sets, and before it waits: then it waits for
 * ever.
 *
 * expect: optimal 4
 * finding: deadlock @pause
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t told;

static void handle(int number)
{
	told = number;
}

static void *wait(void *arg)
{
	while (!told) pause(); /* @pause */
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}
