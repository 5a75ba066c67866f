/* SPDX-License-Identifier: MIT
 *
 * Sections that touch nothing in common are independent: which comes first makes no difference. They are nested, too.
 *
 * expect: optimal 1
 * expect: dfs 2
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

int x[2], y[2];

static void *add(void *arg)
{
	long me = (long)arg;
	mz_atomic_begin();
	x[me]++;
	mz_atomic_begin();
	y[me]++;
	mz_atomic_end();
	x[me]++;
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, (void *)i);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(x[0] == 2 && x[1] == 2 && y[0] == 1 && y[1] == 1);
	return 0;
}
