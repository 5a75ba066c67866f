/* SPDX-License-Identifier: MIT
 *
 * A free list of indices. One thread reads the head, 0, and its successor, 1; another takes both and puts 0 back. The
 * head is 0 again, so the first one's exchange succeeds, and 1 is at the head although it is in use.
 *
 * expect: optimal 34
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 3, INDEX = 3, TAG = 4 };

atomic_int head;
atomic_int next[2] = {1, NONE}, used[2];

static int take(void)
{
	int seen = atomic_load(&head), index, rest;
	do {
		index = seen & INDEX;
		if (index == NONE) return NONE;
		rest = atomic_load(&next[index]);
	} while (!atomic_compare_exchange_strong(&head, &seen, rest));
	assert(atomic_exchange(&used[index], 1) == 0); /* @here */
	return index;
}

static void give(int index)
{
	int seen = atomic_load(&head);
	atomic_store(&used[index], 0);
	do {
		atomic_store(&next[index], seen & INDEX);
	} while (!atomic_compare_exchange_strong(&head, &seen, index));
}

static void *one(void *unused)
{
	if (take() != NONE) take();
	return unused;
}

static void *two(void *unused)
{
	int first = take();
	if (first == NONE) return unused;
	take();
	give(first);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
