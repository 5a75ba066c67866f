/* SPDX-License-Identifier: MIT
 *
 * A handler that leaves the fault to the default after all: the crash is where the fault was.
 *
 * expect: optimal 1
 * finding: crash @fault
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int handled;

static void handle(int number)
{
	atomic_fetch_add(&handled, 1);
	signal(number, SIG_DFL);
	raise(number);
}

static void *fault(void *arg)
{
	int *volatile nowhere = (int *)8;
	*nowhere = 1; /* @fault */
	return arg;
}

int main(void)
{
	pthread_t thread;
	signal(SIGSEGV, handle);
	pthread_create(&thread, NULL, fault, NULL);
	pthread_join(thread, NULL);
	return 0;
}
