/* SPDX-License-Identifier: MIT
 *
 * A thread blocks a signal, sends it to itself, and waits with the signal unblocked: its handler is called then, and
 * not before.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stddef.h>

volatile int handled;

static void handle(int number)
{
	handled = number;
}

int main(void)
{
	sigset_t kept, none;
	sigemptyset(&none);
	sigemptyset(&kept);
	sigaddset(&kept, SIGUSR2);
	signal(SIGUSR2, handle);
	sigprocmask(SIG_BLOCK, &kept, NULL);
	raise(SIGUSR2);
	assert(!handled);
	sigsuspend(&none);
	assert(handled == SIGUSR2);
	return 0;
}
