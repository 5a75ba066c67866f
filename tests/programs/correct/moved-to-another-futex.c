/* SPDX-License-Identifier: MIT
 *
 * Of those that wait at a futex one is woken and the other moved to another one, where it is woken as well; if the
 * word is not what was expected nobody is.
 *
 * expect: optimal 20
 * expect: dfs 30
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, second;
static int names[2];

static void *waits(void *arg)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, waits, &names[i]);
	atomic_store(&word, 1);
	assert(syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)1, &second, 0) == -1);
	long moved = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)1, &second, 1);
	assert(syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == (moved == 2));
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
