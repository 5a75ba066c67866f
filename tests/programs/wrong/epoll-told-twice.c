/* SPDX-License-Identifier: MIT
 *
 * Two workers wait at one epoll for a job that is to be done once, and both may be told of it before one has taken it:
 * then the other waits for the next job where it must not.
 *
 * expect: optimal 4
 * expect: dfs 252
 * finding: deadlock @takes
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

int loop, jobs;

static void *work(void *arg)
{
	struct epoll_event event;
	eventfd_t job;
	if (epoll_wait(loop, &event, 1, 10)) assert(eventfd_read(jobs, &job) == 0 && job == 1); /* @takes */
	return arg;
}

int main(void)
{
	pthread_t workers[2];
	struct epoll_event event = {.events = EPOLLIN};
	loop = epoll_create1(0);
	jobs = eventfd(1, 0);
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, jobs, &event) == 0);
	for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
	return 0;
}
