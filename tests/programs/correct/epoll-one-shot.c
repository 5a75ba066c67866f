/* SPDX-License-Identifier: MIT
 *
 * Two workers wait at one epoll for a job that is to be done once: who is told of it is the only one.
 *
 * expect: optimal 10
 * expect: dfs 668
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
	int n = epoll_wait(loop, &event, 1, 10);
	assert(n == 0 || n == 1);
	if (n) assert(eventfd_read(jobs, &job) == 0 && job == 1);
	return arg;
}

int main(void)
{
	pthread_t workers[2];
	struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};
	loop = epoll_create1(0);
	jobs = eventfd(1, 0);
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, jobs, &event) == 0);
	for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
	return 0;
}
