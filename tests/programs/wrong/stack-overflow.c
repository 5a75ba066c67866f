/* SPDX-License-Identifier: MIT
 *
 * A recursion without end, with an operation at every level: there is stack enough to see that there is none left.
 *
 * expect: optimal 1
 * finding: crash @deep
 */
#include <pthread.h>

int *volatile kept;

__attribute__((noinline)) static int deep(int n)
{
	int room[50];
	room[n % 50] = n;
	kept = room; /* @deep */
	return deep(n + 1) + room[n % 50];
}

static void *recurse(void *arg)
{
	(void)arg;
	return (void *)(long)deep(1);
}

int main(void)
{
	pthread_t thread;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	pthread_create(&thread, &small, recurse, NULL);
	pthread_join(thread, NULL);
	return 0;
}
