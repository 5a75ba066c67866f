/* SPDX-License-Identifier: MIT
 *
 * A timer with an interval calls a function in a thread of its own each time. The next one expires when nobody can go on:
 * so there is one trace, for what the function does after its post is all that the first thread does not wait for.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t called;
int sum;

static void call(union sigval value)
{
	pthread_mutex_lock(&lock);
	sum += value.sival_int;
	pthread_mutex_unlock(&lock);
	sem_post(&called);
}

int main(void)
{
	timer_t timer;
	struct sigevent event = {
	    .sigev_notify = SIGEV_THREAD, .sigev_notify_function = call, .sigev_value.sival_int = 7};
	const struct itimerspec value = {{0, 10000000}, {0, 20000000}}, none = {{0, 0}, {0, 0}};
	struct itimerspec left;
	sem_init(&called, 0, 0);
	assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	assert(timer_settime(timer, 0, &value, NULL) == 0);
	for (int i = 0; i < 3; i++) sem_wait(&called);
	assert(timer_settime(timer, 0, &none, &left) == 0 && left.it_interval.tv_nsec == 10000000);
	pthread_mutex_lock(&lock);
	assert(sum >= 21);
	pthread_mutex_unlock(&lock);
	assert(timer_delete(timer) == 0);
	return 0;
}
