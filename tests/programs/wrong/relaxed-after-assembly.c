/* SPDX-License-Identifier: MIT
 *
 * A thread publishes a value by an instruction that is not followed, and is told of by a relaxed load: whatever the
 * assembly was, that is a data race.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: data-race @write|@read
 * unseen: data-race
 * unseen-write: flag
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int value;

static void *publishes(void *arg)
{
	value = 5; /* @write */
	atomic_int *to = &flag;
	__asm__ volatile("stosl" : "+D"(to) : "a"(1) : "memory");
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, publishes, NULL);
	if (atomic_load_explicit(&flag, memory_order_relaxed)) assert(value == 5); /* @read */
	pthread_join(thread, NULL);
	return 0;
}
