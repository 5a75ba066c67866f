/* SPDX-License-Identifier: MIT
 *
 * Who waits at a futex first is woken first: it need not be the thread that was created first.
 *
 * expect: optimal 14
 * expect: dfs 14
 * finding: assertion @first
 * flags: -D_GNU_SOURCE
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int names[2] = {1, 2};

static void *waits(void *name)
{
	if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0)) return NULL;
	long others = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	if (others) assert(*(int *)name == 1); /* @first */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, waits, &names[i]);
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
