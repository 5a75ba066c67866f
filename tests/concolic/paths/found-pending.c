/* SPDX-License-Identifier: MIT
 *
 * A compare-exchange of a constant waits while another thread stores an input: it finds the input, or nothing. The two orders
 * have two ways and one.
 *
 * expect: optimal 3
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
	int expected = 5;
	if (atomic_compare_exchange_strong(&value, &expected, 9)) assert(atomic_load(&value) != 9);
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	pthread_create(&thread, NULL, exchange, NULL);
	atomic_store(&value, x);
	pthread_join(thread, NULL);
	return 0;
}
