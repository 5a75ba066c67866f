/* SPDX-License-Identifier: MIT
 *
 * There is a second thread only for one input. Then both add to a number without atomicity: four traces, in two of which one
 * of the additions is lost.
 *
 * expect: optimal 5
 * finding: assertion
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void *add(void *unused)
{
	atomic_store(&number, atomic_load(&number) + 1);
	return unused;
}

int main(void)
{
	unsigned char x;
	pthread_t thread;
	mz_symbolic(&x, sizeof x, "x");
	if (x != 7) return 0;
	pthread_create(&thread, NULL, add, NULL);
	add(NULL);
	pthread_join(thread, NULL);
	assert(atomic_load(&number) == 2);
	return 0;
}
