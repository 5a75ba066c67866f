/* SPDX-License-Identifier: MIT
 *
 * The cleanup handler is pushed too late: a thread that is cancelled before takes its memory with it.
 *
 * options: --leaks
 * expect: optimal 3
 * finding: leak @allocation
 */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	volatile int *memory = malloc(sizeof *memory); /* @allocation */
	*memory = 1;
	pthread_testcancel();
	pthread_cleanup_push(free, (void *)memory);
	pthread_testcancel();
	pthread_cleanup_pop(1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	return 0;
}
