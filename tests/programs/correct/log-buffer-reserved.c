/* SPDX-License-Identifier: MIT
 *
 * Who writes to a common buffer reserves its part of it first, by one atomic addition.
 *
 * expect: optimal 2
 * expect: dfs 20
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_char buffer[8];
atomic_int end;

static void append(char what)
{
	int at = atomic_fetch_add(&end, 2);
	atomic_store(&buffer[at], what);
	atomic_store(&buffer[at + 1], what);
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
	assert(letters == 4);
	return 0;
}
