/* SPDX-License-Identifier: MIT
 *
 * Both may make the thing; one is published, and who was too late frees its own and takes that.
 *
 * expect: optimal 4
 * expect: dfs 6
 * builds: gcc-O2 clang-O0
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
	if (atomic_compare_exchange_strong(&thing, &found, made)) return made;
	free(made);
	return found;
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
	assert(got[0] == got[1]);
	free(got[0]);
	return 0;
}
