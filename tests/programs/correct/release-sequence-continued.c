/* SPDX-License-Identifier: MIT
 *
 * A release sequence goes on through read-modify-writes, relaxed ones of other threads too: whoever acquires what they
 * left has acquired what the sequence began with.
 *
 * expect: optimal 5
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int word;
int note;

static void *begin(void *unused)
{
	note = 7;
	atomic_store_explicit(&word, 1, memory_order_release);
	return unused;
}

static void *go_on(void *unused)
{
	int one = 1;
	atomic_compare_exchange_strong_explicit(&word, &one, 2, memory_order_relaxed, memory_order_relaxed);
	return unused;
}

static void *end(void *unused)
{
	if (atomic_load_explicit(&word, memory_order_acquire) != 0) assert(note == 7);
	return unused;
}

int main(void)
{
	void *(*const functions[])(void *) = {begin, go_on, end};
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
