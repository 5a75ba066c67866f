/* SPDX-License-Identifier: MIT
 *
 * A thread that waits for events, of which there is one, is cancelled: before it or after, but not while it has it.
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

int loop, wakes;

static void *handle(void *arg)
{
	struct epoll_event event;
	eventfd_t count;
	assert(epoll_wait(loop, &event, 1, -1) == 1 && eventfd_read(wakes, &count) == 0 && count == 1);
	epoll_wait(loop, &event, 1, -1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	struct epoll_event event = {.events = EPOLLIN};
	void *result;
	loop = epoll_create1(0);
	wakes = eventfd(0, 0);
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, wakes, &event) == 0);
	pthread_create(&thread, NULL, handle, NULL);
	assert(eventfd_write(wakes, 1) == 0);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	assert(result == PTHREAD_CANCELED);
	return 0;
}
