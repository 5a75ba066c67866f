/* SPDX-License-Identifier: MIT
 *
 * Mutual exclusion of two threads by loads and stores alone (Dekker): who has to give way takes back that he wants, and
 * spins inside the loop that spins.
 *
 * expect: optimal 19
 * expect: dfs 367
 * counted: gcc-O2
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
	while (atomic_load(&wants[other])) {
		if (atomic_load(&turn) == me) continue;
		atomic_store(&wants[me], 0);
		while (atomic_load(&turn) != me) {}
		atomic_store(&wants[me], 1);
	}
	counter++;
	atomic_store(&turn, other);
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
