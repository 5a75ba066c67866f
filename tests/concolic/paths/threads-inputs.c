/* SPDX-License-Identifier: MIT
 *
 * Each of two threads has an input of its own, and adds 1 or 2: two orders of four pairs.
 *
 * expect: optimal 8
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *unused)
{
	unsigned char c;
	mz_symbolic(&c, sizeof c, "c");
	if (c < 100)
		atomic_fetch_add(&sum, 1);
	else
		atomic_fetch_add(&sum, 2);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, add, NULL);
	add(NULL);
	pthread_join(thread, NULL);
	assert(atomic_load(&sum) != 4);
	return 0;
}
