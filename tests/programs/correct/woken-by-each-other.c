/* SPDX-License-Identifier: MIT
 *
 * Threads that wait at a futex wake each other one by one: the last one finds nobody.
 *
 * expect: optimal 14
 * expect: dfs 14
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
	assert(others == 0 || (others == 1 && *(int *)name));
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
