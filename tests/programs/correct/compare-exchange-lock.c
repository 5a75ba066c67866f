/* SPDX-License-Identifier: MIT
 *
 * A lock of one word, taken by compare-exchange. One that fails writes what it found over a variable on the thread's
 * own stack, which is then as it was before.
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
	int free = 0;
	while (!atomic_compare_exchange_strong(&lock, &free, 1)) free = 0;
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
