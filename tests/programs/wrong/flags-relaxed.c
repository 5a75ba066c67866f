/* SPDX-License-Identifier: MIT
 *
 * Each thread raises its flag and goes in unless it sees the other one's. That is enough to keep one of them out, if
 * operations happen in order; with relaxed order they need not, and what is inside races.
 *
 * expect: optimal 7
 * expect: dfs 20
 * findings: data-race @inside
 * unseen: data-race
 * builds: gcc-O0 clang-O2
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flags[2];
int inside;

static void enter(int me)
{
	atomic_store_explicit(&flags[me], 1, memory_order_relaxed);
	if (!atomic_load_explicit(&flags[1 - me], memory_order_relaxed)) inside++; /* @inside */
	atomic_store_explicit(&flags[me], 0, memory_order_relaxed);
}

static void *left(void *unused)
{
	enter(0);
	return unused;
}

static void *right(void *unused)
{
	enter(1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, left, NULL);
	pthread_create(&threads[1], NULL, right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
