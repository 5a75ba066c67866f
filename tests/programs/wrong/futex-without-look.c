/* SPDX-License-Identifier: MIT
 *
 * Who does not say what the word was when it looked may sleep through the wake-up.
 *
 * expect: optimal 3
 * expect: dfs 5
 * finding: deadlock @wait
 * flags: -D_GNU_SOURCE
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, other;

static void *waits(void *arg)
{
	(void)arg;
	if (!atomic_load(&word)) syscall(SYS_futex, &other, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); /* @wait */
	return NULL;
}

static void *wakes(void *arg)
{
	(void)arg;
	atomic_store(&word, 1);
	syscall(SYS_futex, &other, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
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
