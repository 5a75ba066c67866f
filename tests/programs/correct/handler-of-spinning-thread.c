/* SPDX-License-Identifier: MIT
 *
 * A thread waits at a spin lock, whose holder spins until the handler of that thread has run.
 *
 * expect: optimal 8
 * counted: -O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static atomic_int told;

static void handle(int number)
{
	told = number;
}

static void *work(void *arg)
{
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread;
	const struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, NULL);
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&lock);
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	while (!told) {}
	pthread_spin_unlock(&lock);
	pthread_join(thread, NULL);
	pthread_spin_destroy(&lock);
	return 0;
}
