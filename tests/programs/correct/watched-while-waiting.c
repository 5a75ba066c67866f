/* SPDX-License-Identifier: MIT
 *
 * Two threads have an epoll watch something of theirs while another waits there: it is told of both.
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int loop, offered[2];

static void *offer(void *arg)
{
	int fd = *(int *)arg;
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
	assert(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) == 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct epoll_event events[2];
	loop = epoll_create1(0);
	for (int i = 0; i < 2; i++) offered[i] = eventfd(1, 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, offer, &offered[i]);
	for (int closed = 0; closed < 2;) {
		int n = epoll_wait(loop, events, 2, -1);
		assert(n > 0);
		for (int i = 0; i < n; i++, closed++) assert(close(events[i].data.fd) == 0);
	}
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
