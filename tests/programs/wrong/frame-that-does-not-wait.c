/* SPDX-License-Identifier: MIT
 *
 * A function waits for one of its threads, but for another one that uses its variable it does not. In the only order in which
 * the threads are explored that one comes first; another function has taken the place by the next operation.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: use-after-free @write
 * unseen: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t writer, other;
static sem_t go;

static void *writes(void *place)
{
	*(int *)place = 7; /* @write */
	return NULL;
}

static void *posts(void *unused)
{
	sem_post(&go);
	return unused;
}

static __attribute__((noinline)) void begin(void)
{
	int variable = 1;
	pthread_create(&writer, NULL, writes, &variable);
	pthread_create(&other, NULL, posts, NULL);
	sem_wait(&go);
}

static __attribute__((noinline)) void wait_for_both(void)
{
	char room[400];
	__asm__ volatile("" : : "r"(room) : "memory");
	pthread_join(writer, NULL);
	pthread_join(other, NULL);
	__asm__ volatile("" : : "r"(room) : "memory");
}

int main(void)
{
	begin();
	wait_for_both();
	return 0;
}
