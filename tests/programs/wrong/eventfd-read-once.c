/* SPDX-License-Identifier: MIT
 *
 * Two jobs are announced at an eventfd, and a worker does one for each time it reads. But to read takes all that was
 * announced: if that was two, one is never done.
 *
 * expect: optimal 2
 * expect: dfs 35
 * finding: deadlock @waits
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

int announced;
atomic_int done;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		eventfd_t jobs;
		assert(eventfd_read(announced, &jobs) == 0); /* @waits */
		atomic_fetch_add(&done, 1);
	}
	return arg;
}

int main(void)
{
	pthread_t worker;
	announced = eventfd(0, 0);
	pthread_create(&worker, NULL, work, NULL);
	for (int i = 0; i < 2; i++) assert(eventfd_write(announced, 1) == 0);
	pthread_join(worker, NULL); /* @joins */
	return 0;
}
