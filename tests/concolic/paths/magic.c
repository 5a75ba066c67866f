/* SPDX-License-Identifier: MIT
 *
 * A value that one thread writes is compared by another: before it is written one way, after that two.
 *
 * expect: optimal 3
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint value;
static unsigned x;

static void *write_it(void *unused)
{
	atomic_store(&value, x ^ 0xffff);
	return unused;
}

int main(void)
{
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	mz_assume(x < 0x10000);
	pthread_create(&thread, NULL, write_it, NULL);
	unsigned seen = atomic_load(&value);
	assert(seen != 0x5a5a);
	pthread_join(thread, NULL);
	return 0;
}
