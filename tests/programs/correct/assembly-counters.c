/* SPDX-License-Identifier: MIT
 *
 * The usual atomic instructions by hand: one thread adds, one sets a bit and exchanges, one compares and exchanges.
 * Each is one step on its variable; a fence, and what is done to a register or to the own stack, is none.
 *
 * expect: optimal 7
 */
#include <assert.h>
#include <pthread.h>

int counter, bits;
long word;

static int fetch_add(int *at, int by)
{
	__asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*at) : : "memory");
	return by;
}

static void *adds(void *unused)
{
	fetch_add(&counter, 1);
	__asm__ volatile("lock orl $8, %0" : "+m"(bits) : : "memory");
	return unused;
}

static void *sets(void *unused)
{
	unsigned char was;
	long one = 1;
	int local = 1;
	__asm__ volatile("mfence\n\tlock; addl $0, 0(%%rsp)\n\tpause" ::: "memory", "cc");
	__asm__ volatile("addl $1, %0" : "+m"(local));
	__asm__ volatile("lock btsl %2, %1\n\tsetc %0" : "=q"(was), "+m"(bits) : "r"(local) : "memory", "cc");
	assert(!was);
	__asm__ volatile("1: xchgq %0, %1" : "+r"(one), "+m"(word) : : "memory");
	return unused;
}

static void *compares(void *unused)
{
	long expected = 7;
	int by = -1;
	__asm__ volatile("lock\n\tcmpxchgq %2, %1" : "+a"(expected), "+m"(word) : "r"(2L) : "memory", "cc");
	assert(expected == 0 || expected == 1);
	__asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(counter) : : "memory", "cc");
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, adds, NULL);
	pthread_create(&threads[1], NULL, sets, NULL);
	pthread_create(&threads[2], NULL, compares, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(counter == 0 && word == 1);
	return bits != 12;
}
