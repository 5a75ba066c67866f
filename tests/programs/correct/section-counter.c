/* SPDX-License-Identifier: MIT
 *
 * Three threads add to a plain variable in atomic sections: each section is one step, so no update is lost and there is
 * no data race, but every order of the sections is explored.
 *
 * expect: optimal 6
 * expect: dfs 6
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

int x;

static void *add(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	int old = x;
	mz_yield();
	x = old + 1;
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(mz_exploring() ? x == 3 : x > 0);
	return 0;
}
