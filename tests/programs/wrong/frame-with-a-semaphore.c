/* SPDX-License-Identifier: MIT
 *
 * A function gives a thread its semaphore and returns without waiting for that thread, which may post before or after the
 * return. Another function has taken the place by the next operation.
 *
 * expect: optimal 1
 * expect: dfs 3
 * finding: use-after-free @post
 * unseen: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t poster, other;
static sem_t go;

static void *posts(void *semaphore)
{
	sem_post(semaphore); /* @post */
	return NULL;
}

static void *lets_go(void *unused)
{
	sem_post(&go);
	return unused;
}

static __attribute__((noinline)) void begin(void)
{
	sem_t own;
	sem_init(&own, 0, 0);
	pthread_create(&poster, NULL, posts, &own);
	pthread_create(&other, NULL, lets_go, NULL);
	sem_wait(&go);
}

static __attribute__((noinline)) void wait_for_both(void)
{
	char room[400];
	__asm__ volatile("" : : "r"(room) : "memory");
	pthread_join(poster, NULL);
	pthread_join(other, NULL);
	__asm__ volatile("" : : "r"(room) : "memory");
}

int main(void)
{
	begin();
	wait_for_both();
	return 0;
}
