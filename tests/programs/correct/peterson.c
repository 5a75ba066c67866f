/* SPDX-License-Identifier: MIT
 *
 * Mutual exclusion of two threads by loads and stores alone (Peterson): the loop looks at two words, and waits until
 * either is written.
 *
 * expect: optimal 12
 * expect: dfs 166
 * counted: -O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int counter;

static void *run(void *index)
{
	int me = *(int *)index, other = 1 - me;
	atomic_store(&wants[me], 1);
	atomic_store(&turn, other);
	while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {}
	counter++;
	atomic_store(&wants[me], 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int indices[2] = {0, 1};
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &indices[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(counter == 2);
	return 0;
}
