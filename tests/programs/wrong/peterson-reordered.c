/* SPDX-License-Identifier: MIT
 *
 * Peterson's algorithm with its two stores exchanged: both threads can get in.
 *
 * finding: assertion @check
 * expect: optimal 18
 * expect: dfs 394
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn, inside;

static void *run(void *index)
{
	int me = *(int *)index, other = 1 - me;
	atomic_store(&turn, other);
	atomic_store(&wants[me], 1);
	while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {}
	assert(atomic_fetch_add(&inside, 1) == 0); /* @check */
	atomic_fetch_sub(&inside, 1);
	atomic_store(&wants[me], 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int indices[2] = {0, 1};
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &indices[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
