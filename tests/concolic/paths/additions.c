/* SPDX-License-Identifier: MIT
 *
 * Two threads add an input: the second of them sees it, or not, as 6; two orders.
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

static void *add(void *unused)
{
	assert(atomic_fetch_add(&value, x) != 6);
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	pthread_create(&thread, NULL, add, NULL);
	add(NULL);
	pthread_join(thread, NULL);
	return 0;
}
