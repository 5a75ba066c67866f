/* SPDX-License-Identifier: MIT
 *
 * A thread that has created no other one tells of its function's variable, and returns from there. Another function is in the
 * place of the first by the time that the variable is used.
 *
 * expect: optimal 4
 * finding: use-after-free @write
 * unseen: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) place;
static sem_t used;

static __attribute__((noinline)) void tell(void)
{
	int variable = 1;
	atomic_store(&place, &variable);
	__asm__ volatile("" : : "r"(&variable) : "memory");
}

static __attribute__((noinline)) void wait_for_it(void)
{
	char room[400];
	__asm__ volatile("" : : "r"(room) : "memory");
	sem_wait(&used);
	__asm__ volatile("" : : "r"(room) : "memory");
}

static void *tells(void *unused)
{
	tell();
	atomic_store(&place, NULL);
	tell(); /* and again: what is known of the first time says nothing of the second one */
	wait_for_it();
	return unused;
}

static void *uses(void *unused)
{
	int *variable = atomic_load(&place);
	if (variable) *variable = 7; /* @write */
	sem_post(&used);
	return unused;
}

int main(void)
{
	pthread_t one, two;
	sem_init(&used, 0, 0);
	pthread_create(&one, NULL, tells, NULL);
	pthread_create(&two, NULL, uses, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
