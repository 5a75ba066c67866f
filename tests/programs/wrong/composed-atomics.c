/* SPDX-License-Identifier: MIT
 *
 * Each operation is atomic, the two together are not: both threads see the last ticket.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int tickets = 1;

static void *buy(void *unused)
{
	if (atomic_load(&tickets) > 0) atomic_fetch_sub(&tickets, 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, buy, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(atomic_load(&tickets) == 0); /* @here */
	return 0;
}
