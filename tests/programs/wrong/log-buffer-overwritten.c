/* SPDX-License-Identifier: MIT
 *
 * Who writes to a common buffer looks where it ends, writes there, and then moves the end: two may write to the same
 * place.
 *
 * expect: optimal 10
 * expect: dfs 70
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_char buffer[8];
atomic_int end;

static void append(char what)
{
	int at = atomic_load(&end);
	atomic_store(&buffer[at], what);
	atomic_store(&buffer[at + 1], what);
	atomic_store(&end, at + 2);
}

static void *left(void *unused)
{
	append('l');
	return unused;
}

static void *right(void *unused)
{
	append('r');
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, left, NULL);
	pthread_create(&threads[1], NULL, right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	int letters = 0;
	for (int i = 0; i < 8; i++) letters += atomic_load_explicit(&buffer[i], memory_order_relaxed) != 0;
	assert(letters == 4); /* @here */
	return 0;
}
