/* SPDX-License-Identifier: MIT
 *
 * A compare-exchange expects an input. Before the store it succeeds for 0, after it for 5: two ways each. Only after the store
 * does the new value stay.
 *
 * expect: optimal 4
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static int x;

static void *exchange(void *unused)
{
	int expected = x;
	atomic_compare_exchange_strong(&value, &expected, 9);
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	pthread_create(&thread, NULL, exchange, NULL);
	atomic_store(&value, 5);
	pthread_join(thread, NULL);
	assert(atomic_load(&value) != 9);
	return 0;
}
