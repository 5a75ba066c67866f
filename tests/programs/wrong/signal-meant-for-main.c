/* SPDX-License-Identifier: MIT
 *
 * A signal to the process need not be handled by the first thread: any thread does that does not block it.
 *
 * varies: states
 * expect: optimal 3
 * finding: assertion @any
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_t first;
int x;

static void handle(int number)
{
	assert(number == SIGUSR1 && pthread_equal(pthread_self(), first)); /* @any */
}

static void *work(void *arg)
{
	__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);
	return arg;
}

int main(void)
{
	pthread_t thread;
	first = pthread_self();
	signal(SIGUSR1, handle);
	pthread_create(&thread, NULL, work, NULL);
	kill(getpid(), SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}
