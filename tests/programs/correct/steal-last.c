/* SPDX-License-Identifier: MIT
 *
 * The owner pops from one end of a deque, a thief steals from the other; for the last element both have to win the
 * same exchange.
 *
 * expect: optimal 12
 * expect: dfs 556
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { EMPTY = -1 };

atomic_int top, bottom = 2, taken[2];

static int pop(void)
{
	int last = atomic_load(&bottom) - 1;
	atomic_store(&bottom, last);
	int first = atomic_load(&top);
	if (first < last) return last;
	int result = EMPTY;
	if (first == last && atomic_compare_exchange_strong(&top, &first, first + 1)) result = last;
	atomic_store(&bottom, last + 1);
	return result;
}

static int steal(void)
{
	int first = atomic_load(&top);
	if (first >= atomic_load(&bottom)) return EMPTY;
	return atomic_compare_exchange_strong(&top, &first, first + 1) ? first : EMPTY;
}

static void take(int item)
{
	if (item != EMPTY) assert(atomic_exchange(&taken[item], 1) == 0);
}

static void *owner(void *unused)
{
	take(pop());
	take(pop());
	return unused;
}

static void *thief(void *unused)
{
	take(steal());
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, owner, NULL);
	pthread_create(&threads[1], NULL, thief, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
