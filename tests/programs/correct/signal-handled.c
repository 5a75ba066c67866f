/* SPDX-License-Identifier: MIT
 *
 * A signal is handled before one of the operations of the thread it is sent to, or comes too late.
 *
 * expect: optimal 3
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int steps;
int seen = -1;

static void handle(int number)
{
	assert(number == SIGUSR1 && seen == -1);
	seen = steps;
}

static void *work(void *arg)
{
	steps++;
	steps++;
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	struct sigaction old;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR1, NULL, &old);
	assert(old.sa_handler == handle);
	pthread_create(&thread, NULL, work, NULL);
	assert(pthread_kill(thread, SIGUSR1) == 0);
	pthread_join(thread, NULL);
	assert(steps == 2 && seen <= 2);
	return 0;
}
