/* SPDX-License-Identifier: MIT
 *
 * A counter starts at what an instruction that is not followed put there, and loses an update. That does not keep the
 * bug from being found.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @lost
 * unseen-write: counter
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_long counter;

static void *add(void *arg)
{
	long value = atomic_load(&counter);
	atomic_store(&counter, value + 1);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	atomic_long *to = &counter;
	__asm__ volatile("stosq" : "+D"(to) : "a"(10L) : "memory");
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(atomic_load(&counter) == 12); /* @lost */
	return 0;
}
