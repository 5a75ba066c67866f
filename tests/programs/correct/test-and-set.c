/* SPDX-License-Identifier: MIT
 *
 * A lock of one word that three threads take by exchange, with orders as weak as they can be. An exchange that finds
 * the lock taken changes nothing and releases nothing: it is a read.
 *
 * expect: optimal 48
 * expect: dfs 60
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int counter;

static void *run(void *unused)
{
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {}
	counter++;
	atomic_store_explicit(&lock, 0, memory_order_release);
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
