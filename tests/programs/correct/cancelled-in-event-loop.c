/* A thread that waits for events is cancelled: it has closed what it made, whenever that was.
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int wakes;

static void close_it(void *arg)
{
	assert(close(*(int *)arg) == 0);
}

static void *loop(void *arg)
{
	int epoll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN};
	eventfd_t count;
	pthread_cleanup_push(close_it, &epoll);
	assert(epoll_ctl(epoll, EPOLL_CTL_ADD, wakes, &event) == 0);
	while (epoll_wait(epoll, &event, 1, -1) == 1) assert(eventfd_read(wakes, &count) == 0 && count == 1);
	pthread_cleanup_pop(1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	void *result;
	wakes = eventfd(0, 0);
	pthread_create(&thread, NULL, loop, NULL);
	assert(eventfd_write(wakes, 1) == 0);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	assert(result == PTHREAD_CANCELED && eventfd(0, 0) == wakes + 1);
	return 0;
}
