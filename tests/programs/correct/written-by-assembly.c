/* SPDX-License-Identifier: MIT
 *
 * A thread sets a flag by an instruction that is not followed, and no visible operation: who reads the flag finds what
 * nobody has written, and so it is said.
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
	atomic_int *to = &flag;
	__asm__ volatile("stosl" : "+D"(to) : "a"(1) : "memory");
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
