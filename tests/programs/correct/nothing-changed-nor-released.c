/* SPDX-License-Identifier: MIT
 *
 * Three threads look at a word by operations that would change it if it were another, and release nothing. Their order
 * makes no difference: neither to values nor to what happens before what.
 *
 * expect: optimal 1
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint word = 6;

static void *exchange(void *unused)
{
	assert(atomic_exchange_explicit(&word, 6, memory_order_acquire) == 6);
	return unused;
}

static void *raise_bits(void *unused)
{
	assert(atomic_fetch_or_explicit(&word, 2, memory_order_relaxed) == 6);
	return unused;
}

static void *lower_bits(void *unused)
{
	assert(atomic_fetch_and_explicit(&word, 7, memory_order_relaxed) == 6);
	return unused;
}

int main(void)
{
	void *(*const functions[])(void *) = {exchange, raise_bits, lower_bits};
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
