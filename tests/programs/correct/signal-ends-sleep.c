/* SPDX-License-Identifier: MIT
 *
 * A signal that comes while a thread sleeps ends that; another time it is early or late.
 *
 * expect: optimal 3
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

int handled;

static void handle(int number)
{
	handled += number == SIGUSR1;
}

static void *work(void *arg)
{
	const struct timespec time = {5, 0};
	struct timespec left = {0, 0};
	if (nanosleep(&time, &left)) assert(errno == EINTR && handled && left.tv_sec <= 5);
	return arg;
}

int main(void)
{
	pthread_t thread;
	signal(SIGUSR1, handle); /* sleeping is not started over, as other calls are */
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	return 0;
}
