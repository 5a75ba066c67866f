/* SPDX-License-Identifier: MIT
 *
 * A thread waits for a timer that another one sets only if it looks at a flag late enough.
 *
 * expect: optimal 4
 * finding: deadlock
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;
static atomic_int wanted;

static void *sets(void *unused)
{
	const struct itimerspec value = {{0, 0}, {60, 0}};
	if (wanted) timerfd_settime(timer, 0, &value, NULL);
	return unused;
}

int main(void)
{
	pthread_t thread;
	struct pollfd polled = {.events = POLLIN};
	timer = polled.fd = timerfd_create(CLOCK_MONOTONIC, 0);
	pthread_create(&thread, NULL, sets, NULL);
	wanted = 1;
	poll(&polled, 1, -1);
	pthread_join(thread, NULL);
	return 0;
}
