/* SPDX-License-Identifier: MIT
 *
 * Who is woken may free the word before the wake-up is made: the kernel does not look at the memory of a word that it
 * wakes threads at.
 *
 * expect: optimal 4
 * expect: dfs 6
 * flags: -D_GNU_SOURCE
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *finish(void *word)
{
	atomic_store((atomic_int *)word, 1);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	atomic_int *word = malloc(sizeof *word);
	atomic_init(word, 0);
	pthread_create(&thread, NULL, finish, word);
	while (!atomic_load(word)) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL);
	free(word);
	pthread_join(thread, NULL);
	return 0;
}
