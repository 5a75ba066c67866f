/* SPDX-License-Identifier: MIT
 *
 * A wait at a futex that a signal has ended is taken for one that was woken.
 *
 * expect: optimal 8
 * finding: assertion @assert
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void handle(int number)
{
	(void)number;
}

static void *wait(void *arg)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	assert(word); /* @assert */
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
