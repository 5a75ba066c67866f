/* SPDX-License-Identifier: MIT
 *
 * Relaxed operations that change nothing, between fences: by the first fence the exchange of the one thread releases,
 * by the second that of the other acquires, if it comes later.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: data-race @wrote|@read
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn = 3;
int note, copy;

static void *leave(void *unused)
{
	note = 7; /* @wrote */
	atomic_thread_fence(memory_order_release);
	atomic_exchange_explicit(&turn, 3, memory_order_relaxed);
	return unused;
}

static void *look(void *unused)
{
	int found = atomic_exchange_explicit(&turn, 3, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	if (found == 3) copy = note; /* @read */
	return unused;
}

int main(void)
{
	pthread_t leaves, looks;
	pthread_create(&leaves, NULL, leave, NULL);
	pthread_create(&looks, NULL, look, NULL);
	pthread_join(leaves, NULL);
	pthread_join(looks, NULL);
	return 0;
}
