/* SPDX-License-Identifier: MIT
 *
 * A signal ends a wait at a futex, unless it is to be started over.
 *
 * expect: optimal 9
 */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
int handled;

static void handle(int number)
{
	handled += number == SIGUSR1;
}

static void *wait(void *arg)
{
	while (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0)) {
		if (errno == EAGAIN) break;
		assert(errno == EINTR && handled);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, wait, NULL);
	pthread_kill(thread, SIGUSR1);
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(thread, NULL);
	return 0;
}
