/* SPDX-License-Identifier: MIT
 *
 * Atomics that share a word but no byte are independent.
 *
 * expect: optimal 1
 * expect: dfs 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
	_Alignas(8) atomic_char left;
	atomic_char right;
} word;

static void *run_left(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) atomic_fetch_add(&word.left, 1);
	return NULL;
}

static void *run_right(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) atomic_fetch_add(&word.right, 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_left, NULL);
	pthread_create(&threads[1], NULL, run_right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(word.left == 2 && word.right == 2);
	return 0;
}
