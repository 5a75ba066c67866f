/* SPDX-License-Identifier: MIT
 *
 * Three threads compete for a place with compare-exchange: one gets it, whoever comes first. The losers only read, so
 * their order does not matter.
 *
 * expect: optimal 3
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int place;
static int winners[3];

static void *run(void *arg)
{
	int *won = arg, empty = 0;
	*won = atomic_compare_exchange_strong(&place, &empty, 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, &winners[i]);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(winners[0] + winners[1] + winners[2] == 1);
	return 0;
}
