/* SPDX-License-Identifier: MIT
 *
 * Waiting for a word to change by the system call: it looks and waits at once, so no wake-up is lost.
 *
 * expect: optimal 4
 * expect: dfs 7
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int value;

static void *waits(void *arg)
{
	(void)arg;
	if (!atomic_load(&word)) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	assert(atomic_load(&word) == 1 && value == 1);
	return NULL;
}

static void *wakes(void *arg)
{
	(void)arg;
	value = 1;
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, wakes, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
