/* SPDX-License-Identifier: MIT
 *
 * A function gives a thread a pointer to its variable and returns. Another function is where it was when the thread writes:
 * memory that is in use, and not what the thread means.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: use-after-free @write
 * unseen: use-after-free
 */
#include <pthread.h>
#include <stddef.h>

static pthread_t thread;

static void *write_late(void *place)
{
	*(int *)place = 7; /* @write */
	return NULL;
}

static __attribute__((noinline)) void begin(void)
{
	int variable = 1;
	pthread_create(&thread, NULL, write_late, &variable);
}

static __attribute__((noinline)) void wait_for_it(void)
{
	char room[400];
	__asm__ volatile("" : : "r"(room) : "memory");
	pthread_join(thread, NULL);
	__asm__ volatile("" : : "r"(room) : "memory");
}

int main(void)
{
	begin();
	wait_for_it();
	return 0;
}
