/* SPDX-License-Identifier: MIT
 *
 * A thread stops a timer that main looks at after it has slept for longer: whether it has expired by then depends on
 * who comes first, and so does whether that was forgotten.
 *
 * expect: optimal 7
 * finding: assertion @stopped
 * finding: assertion @expired
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void set(long seconds)
{
	const struct itimerspec value = {{0, 0}, {seconds, 0}};
	timerfd_settime(timer, 0, &value, NULL);
}

static void *stop(void *unused)
{
	set(0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	uint64_t times = 0;
	timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
	set(1);
	pthread_create(&thread, NULL, stop, NULL);
	sleep(2);
	read(timer, &times, sizeof times);
	assert(times); /* @stopped */
	pthread_join(thread, NULL);
	assert(!times); /* @expired */
	return 0;
}
