// SPDX-License-Identifier: MIT
/*
 * A catch (...) takes a cancellation for an error and goes on: the C library ends the process.
 *
 * expect: optimal 2
 * finding: assertion @caught
 */
#include <cassert>
#include <pthread.h>

int failures;

static void *work(void *arg)
{
	try {
		pthread_testcancel();
	} catch (...) {
		failures++;
	} /* @caught */
	return arg;
}

int main()
{
	pthread_t thread;
	pthread_create(&thread, nullptr, work, nullptr);
	pthread_cancel(thread);
	pthread_join(thread, nullptr);
	assert(failures == 0);
	return 0;
}
