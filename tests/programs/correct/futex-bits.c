/* SPDX-License-Identifier: MIT
 *
 * Each of two threads waits at a futex for a bit of its own, and both bits are told.
 *
 * expect: optimal 20
 * expect: dfs 20
 * flags: -D_GNU_SOURCE
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int names[2] = {1, 2};

static void *waits(void *bits)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, *(int *)bits);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, waits, &names[i]);
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 2);
	syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 5);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
