/* SPDX-License-Identifier: MIT
 *
 * A timer of timerfd_create is read: a read waits until it has expired, and tells how often; poll, select and epoll wait
 * for it, and time-outs are compared with it. Setting it forgets what was counted. All in virtual time.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int timer;

static long seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void set(int flags, long first, long interval)
{
	const struct itimerspec value = {{interval, 0}, {first, 0}};
	assert(timerfd_settime(timer, flags, &value, NULL) == 0);
}

static uint64_t count(void)
{
	uint64_t times = 0;
	ssize_t size = read(timer, &times, sizeof times);
	assert(size == sizeof times || (size == -1 && errno == EAGAIN));
	return times;
}

static void reads(void)
{
	struct itimerspec left;
	long begin = seconds();
	set(0, 10, 0);
	assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec == 9 && !left.it_interval.tv_sec);
	assert(count() == 1 && seconds() == begin + 10);
	assert(timerfd_gettime(timer, &left) == 0 && !left.it_value.tv_sec && !left.it_value.tv_nsec);
	set(0, 2, 3);
	sleep(9);
	assert(count() == 3 && count() == 1 && seconds() == begin + 21);
	sleep(2000);
	assert(count() == 666);
	set(TFD_TIMER_ABSTIME, 1, 0); /* that is past */
	assert(count() == 1);
	set(0, 1, 0);
	sleep(2);
	set(0, 5, 0); /* what has expired before is forgotten */
	begin = seconds();
	assert(count() == 1 && seconds() == begin + 5);
}

static void *reads_once(void *unused)
{
	assert(count() == 1);
	return unused;
}

static void threads(void)
{
	pthread_t thread;
	set(0, 3, 0);
	pthread_create(&thread, NULL, reads_once, NULL);
	pthread_join(thread, NULL);
}

static void waits(void)
{
	struct pollfd polled = {.fd = timer, .events = POLLIN | POLLOUT};
	struct epoll_event event = {.events = EPOLLIN, .data.fd = 7};
	fd_set set_;
	long begin = seconds();
	set(0, 5, 0);
	assert(poll(&polled, 1, 0) == 0 && poll(&polled, 1, 3000) == 0 && seconds() == begin + 3);
	assert(poll(&polled, 1, 60000) == 1 && polled.revents == POLLIN && seconds() == begin + 5);
	assert(poll(&polled, 1, -1) == 1 && count() == 1);
	set(0, 5, 0);
	assert(poll(&polled, 1, -1) == 1 && seconds() == begin + 10 && count() == 1);
	set(0, 5, 0);
	FD_ZERO(&set_);
	FD_SET(timer, &set_);
	assert(select(timer + 1, &set_, NULL, NULL, NULL) == 1 && FD_ISSET(timer, &set_) && count() == 1);
	int epoll = epoll_create1(0);
	assert(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) == 0);
	set(0, 5, 0);
	assert(epoll_wait(epoll, &event, 1, 3000) == 0);
	assert(epoll_wait(epoll, &event, 1, 60000) == 1 && event.data.fd == 7 && seconds() == begin + 20);
	assert(epoll_wait(epoll, &event, 1, -1) == 1 && count() == 1);
	close(epoll);
}

int main(void)
{
	if (!mz_exploring()) return 0; /* it would take half an hour */
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	reads();
	threads();
	waits();
	close(timer);
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	assert(count() == 0);
	set(0, 1, 0);
	assert(count() == 0);
	sleep(1);
	assert(count() == 1 && count() == 0);
	set(0, 1, 0);
	set(0, 0, 0); /* it is off */
	sleep(10);
	assert(count() == 0);
	set(0, 7, 0);
	close(timer);
	return 0;
}
