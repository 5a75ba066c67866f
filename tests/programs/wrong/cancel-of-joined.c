/* SPDX-License-Identifier: MIT
 *
 * A thread is cancelled that is not there any more: its number may be another's by now.
 *
 * expect: optimal 1
 * finding: misuse @cancel
 */
#include <pthread.h>
#include <stddef.h>

static void *work(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	pthread_cancel(thread); /* @cancel */
	return 0;
}
