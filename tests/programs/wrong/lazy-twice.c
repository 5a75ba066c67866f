/* SPDX-License-Identifier: MIT
 *
 * Who finds nothing makes the thing and stores it: two threads may go on with two things.
 *
 * expect: optimal 4
 * expect: dfs 6
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) thing;
int *got[2];

static int *get(void)
{
	int *found = atomic_load(&thing);
	if (found) return found;
	int *made = calloc(1, sizeof *made);
	atomic_store(&thing, made);
	return made;
}

static void *run(void *own)
{
	*(int **)own = get();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &got[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(got[0] == got[1]); /* @here */
	free(got[0]);
	return 0;
}
