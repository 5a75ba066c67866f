/* SPDX-License-Identifier: MIT
 *
 * Of those that wait at a futex one is woken and the other moved to another one, where nobody wakes it.
 *
 * expect: optimal 12
 * expect: dfs 12
 * finding: deadlock @wait
 * flags: -D_GNU_SOURCE
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, second;
static int names[2];

static void *waits(void *arg)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); /* @wait */
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, waits, &names[i]);
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_REQUEUE_PRIVATE, 1, (void *)1, &second, 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
