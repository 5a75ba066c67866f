/* SPDX-License-Identifier: MIT
 *
 * A lock of one word that three threads take by exchange, in the default order. While data races are not looked for
 * only values count: an exchange that finds the lock taken is a read.
 *
 * expect: optimal 48
 * expect: dfs 60
 * counted: -O2
 * options: --no-races
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int counter;

static void *run(void *unused)
{
	while (atomic_exchange(&lock, 1)) {}
	counter++;
	atomic_store(&lock, 0);
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
