/* SPDX-License-Identifier: MIT
 *
 * Timers with intervals expire again and again: where the thread waits for them, and as often as it sleeps past them. What
 * is left of a timer goes down, and a watchdog that is set again in time never barks.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void tick(int number)
{
	ticks += number == SIGALRM;
}

static void bark(int number)
{
	abort();
	(void)number;
}

static void process(void)
{
	struct itimerval value = {{0, 250000}, {1, 0}}, left;
	signal(SIGALRM, tick);
	assert(setitimer(ITIMER_REAL, &value, NULL) == 0 && getitimer(ITIMER_REAL, &left) == 0);
	assert(left.it_value.tv_sec == 0 && left.it_value.tv_usec > 900000 && left.it_interval.tv_usec == 250000);
	while (ticks < 4) pause();
	struct timespec rest = {1, 100000000};
	while (nanosleep(&rest, &rest)) assert(errno == EINTR);
	assert(ticks == 8);
	value = (struct itimerval){0};
	assert(setitimer(ITIMER_REAL, &value, &left) == 0);
	assert(left.it_value.tv_sec == 0 && left.it_value.tv_usec > 0 && left.it_value.tv_usec <= 250000);
	assert(sleep(2) == 0 && ticks == 8);
	assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
}

static void kick(timer_t timer)
{
	const struct itimerspec value = {{0, 0}, {1, 0}};
	assert(timer_settime(timer, 0, &value, NULL) == 0);
}

static void watchdog(void)
{
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec left;
	signal(SIGUSR1, bark);
	assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	kick(timer);
	for (int i = 0; i < 3; i++) {
		usleep(600000);
		assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_nsec > 0 &&
		       left.it_value.tv_nsec <= 400000000);
		kick(timer);
	}
	assert(timer_delete(timer) == 0 && sleep(5) == 0);
}

static void silent(void)
{
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	const struct itimerspec value = {{2, 0}, {5, 0}};
	struct itimerspec left;
	assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0 && timer_settime(timer, 0, &value, NULL) == 0);
	sleep(3);
	assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 1 && left.it_value.tv_nsec > 900000000);
	sleep(3);
	assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec > 900000000);
	assert(timer_getoverrun(timer) == 0 && timer_delete(timer) == 0);
}

int main(void)
{
	if (!mz_exploring()) return 0; /* it would take half a minute */
	process();
	watchdog();
	silent();
	return 0;
}
