/* SPDX-License-Identifier: MIT
 *
 * A store ends the release sequence before it, also one of the same thread: since C++20 (in C11 it would go on). So who
 * acquires the second value has acquired nothing.
 *
 * expect: optimal 3
 * expect: dfs 3
 * finding: data-race @wrote|@read
 * unseen: data-race
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int word;
int note, copy;

static void *leave(void *unused)
{
	note = 7; /* @wrote */
	atomic_store_explicit(&word, 1, memory_order_release);
	atomic_store_explicit(&word, 2, memory_order_relaxed);
	return unused;
}

static void *look(void *unused)
{
	if (atomic_load_explicit(&word, memory_order_acquire) != 0) copy = note; /* @read */
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
