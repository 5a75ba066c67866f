/* SPDX-License-Identifier: MIT
 *
 * A ticket is sold by compare-exchange: what was looked at is what is changed.
 *
 * expect: optimal 4
 * expect: dfs 6
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int tickets = 1;

static void *buy(void *unused)
{
	int left = atomic_load(&tickets);
	while (left > 0 && !atomic_compare_exchange_strong(&tickets, &left, left - 1)) {}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, buy, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(atomic_load(&tickets) == 0);
	return 0;
}
