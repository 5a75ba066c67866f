/* SPDX-License-Identifier: MIT
 *
 * A lock that serves threads in the order in which they took their tickets. Everybody who waits looks again whenever
 * the next one is served.
 *
 * expect: optimal 48
 * expect: dfs 756
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next_ticket, serving;
int counter;

static void *run(void *unused)
{
	int mine = atomic_fetch_add(&next_ticket, 1);
	while (atomic_load(&serving) != mine) {}
	counter++;
	atomic_store(&serving, mine + 1);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(counter == 3);
	return 0;
}
