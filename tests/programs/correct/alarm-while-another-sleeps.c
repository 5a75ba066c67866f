/* SPDX-License-Identifier: MIT
 *
 * One thread sleeps for longer than the alarm that another one has set: so the alarm comes while it sleeps, and either of
 * them handles it, wherever the first thread is by then: it has been handled when the first one has joined the other.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int handled, step;

static void handle(int number)
{
	handled += number == SIGALRM;
}

static void *sleeps(void *arg)
{
	sleep(2);
	return arg;
}

int main(void)
{
	pthread_t thread;
	signal(SIGALRM, handle);
	alarm(1);
	pthread_create(&thread, NULL, sleeps, NULL);
	step = 1;
	int before = handled;
	step = 2;
	pthread_join(thread, NULL);
	assert(handled == 1 && before <= 1);
	return 0;
}
