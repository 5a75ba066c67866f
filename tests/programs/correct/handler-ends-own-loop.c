/* SPDX-License-Identifier: MIT
 *
 * A thread spins until its own handler has run.
 *
 * expect: optimal 3
 * counted: -O2 clang-O0
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int told;

static void handle(int number)
{
	told = number;
}

static void *wait(void *arg)
{
	while (!told) {}
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
