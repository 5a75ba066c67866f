/* SPDX-License-Identifier: MIT
 *
 * Two threads that say that they want to get in, and wait until the other does not: both may wait for ever.
 *
 * finding: livelock @wait
 * expect: optimal 5
 * counted: -O2
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];

static void *run(void *index)
{
	int me = *(int *)index, other = 1 - me;
	atomic_store(&wants[me], 1);
	while (atomic_load(&wants[other])) { /* @wait */
	}
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
