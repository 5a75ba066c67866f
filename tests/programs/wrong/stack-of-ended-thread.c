/* SPDX-License-Identifier: MIT
 *
 * A thread leaves the address of a local variable behind and ends: whoever uses it later uses nothing.
 *
 * expect: optimal 2
 * finding: use-after-free @use
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int *) left;

static void *leave(void *arg)
{
	int local = 1;
	atomic_store(&left, &local);
	return arg;
}

static void *use(void *arg)
{
	int *there = atomic_load(&left);
	if (there) *there = 2; /* @use */
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, leave, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
