/* SPDX-License-Identifier: MIT
 *
 * Assembly is followed: two threads read a counter and write it back by instructions of their own. Both may have read
 * before either writes.
 *
 * expect: optimal 4
 * finding: assertion @CHECK
 */
#include <assert.h>
#include <pthread.h>

int counter;

static int get(const int *from)
{
	int value;
	__asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*from) : "memory");
	return value;
}

static void put(int *to, int value)
{
	__asm__ volatile("movl %1, %0" : "=m"(*to) : "r"(value) : "memory");
}

static void *add(void *unused)
{
	put(&counter, get(&counter) + 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(get(&counter) == 2); /* @CHECK */
	return 0;
}
