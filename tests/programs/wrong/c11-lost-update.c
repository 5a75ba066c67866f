/* SPDX-License-Identifier: MIT
 *
 * The lost update, with C11 threads.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @lost
 */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int counter;

static int run(void *arg)
{
	(void)arg;
	int seen = atomic_load(&counter);
	atomic_store(&counter, seen + 1);
	return 0;
}

int main(void)
{
	thrd_t threads[2];
	for (int i = 0; i < 2; i++) thrd_create(&threads[i], run, NULL);
	for (int i = 0; i < 2; i++) thrd_join(threads[i], NULL);
	assert(counter == 2); /* @lost */
	return 0;
}
