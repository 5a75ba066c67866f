/* SPDX-License-Identifier: MIT
 *
 * A thread sets a flag in inline assembly, which is no visible operation: who reads the flag finds what nobody has
 * written, and so it is said.
 *
 * expect: optimal 1
 * expect: dfs 1
 * unseen-write: flag
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *set(void *arg)
{
	__asm__ volatile("movl $1, (%0)" : : "r"(&flag) : "memory");
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set, NULL);
	pthread_join(thread, NULL);
	assert(atomic_load(&flag) == 1);
	return 0;
}
