/* SPDX-License-Identifier: MIT
 *
 * Inline assembly reads a variable on the stack, to which another thread writes that was told where it is.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <pthread.h>
#include <stddef.h>

static int load(int *place)
{
	int value;
	__asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*place) : "memory");
	return value;
}

static void store(int *place, int value)
{
	__asm__ volatile("movl %1, %0" : "=m"(*place) : "r"(value) : "memory");
}

static void *set(void *place)
{
	store(place, 1);
	return NULL;
}

int main(void)
{
	int go = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, set, &go);
	int seen = load(&go);
	pthread_join(thread, NULL);
	return seen > go;
}
