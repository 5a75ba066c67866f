/* SPDX-License-Identifier: MIT
 *
 * The same through a volatile pointer: the access is a visible operation, and crashes when it is its turn.
 *
 * expect: optimal 3
 * finding: crash @here
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int target;
static int *_Atomic pointer = &target;
int seen;

static void *user(void *arg)
{
	(void)arg;
	if (atomic_load(&pointer)) seen = *(volatile int *)atomic_load(&pointer); /* @here */
	return NULL;
}

static void *taker(void *arg)
{
	(void)arg;
	atomic_store(&pointer, NULL);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, user, NULL);
	pthread_create(&threads[1], NULL, taker, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
