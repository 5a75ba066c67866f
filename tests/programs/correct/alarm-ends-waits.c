/* SPDX-License-Identifier: MIT
 *
 * An alarm whose handler has run ends sleeps and waits with what is left of them; one that is cancelled, set again or too
 * late does not. A signal that is blocked stays pending. One thread has one trace.
 *
 * expect: optimal 1
 */
#include <assert.h>
#include <errno.h>
#include <mazurka.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled += number == SIGALRM;
}

static void install(int flags)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
	assert(sigaction(SIGALRM, &action, NULL) == 0);
}

static struct timespec in_five_seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec += 5;
	return time;
}

static void sleeps(void)
{
	struct timespec left, five = {5, 0};
	assert(alarm(10) == 0 && alarm(4) == 10);
	assert(sleep(2) == 0 && alarm(0) == 2 && alarm(0) == 0);
	assert(sleep(20) == 0 && handled == 0);
	alarm(2);
	assert(sleep(10) == 8 && handled == 1);
	alarm(1);
	assert(nanosleep(&five, &left) == -1 && errno == EINTR && left.tv_sec == 4 && handled == 2);
}

static void waits(sem_t *semaphore)
{
	struct timespec until = in_five_seconds();
	install(0);
	alarm(1);
	assert(sem_wait(semaphore) == -1 && errno == EINTR);
	alarm(1);
	assert(sem_timedwait(semaphore, &until) == -1 && errno == EINTR);
	alarm(10);
	assert(sem_timedwait(semaphore, &until) == -1 && errno == ETIMEDOUT);
	alarm(1);
	assert(poll(NULL, 0, 5000) == -1 && errno == EINTR && poll(NULL, 0, 10) == 0);
	alarm(1);
	assert(pause() == -1 && errno == EINTR && handled == 6);
}

static void polls(void)
{
	alarm(1);
	for (volatile int rounds = 0; handled == 6; rounds++) time(NULL);
	assert(handled == 7 && alarm(0) == 0);
}

static void blocked(void)
{
	sigset_t set;
	struct timespec three = {3, 0};
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	alarm(1);
	assert(sigwait(&set, &number) == 0 && number == SIGALRM);
	alarm(1);
	assert(sigtimedwait(&set, NULL, &three) == SIGALRM);
	alarm(5);
	assert(sigtimedwait(&set, NULL, &three) == -1 && errno == EAGAIN && alarm(1) == 2);
	assert(sleep(2) == 0);
	sigpending(&set);
	assert(sigismember(&set, SIGALRM) && handled == 7);
}

int main(void)
{
	sem_t semaphore;
	if (!mz_exploring()) return 0; /* it would take a minute */
	sem_init(&semaphore, 0, 0);
	install(SA_RESTART);
	sleeps();
	waits(&semaphore);
	polls();
	blocked();
	return 0;
}
