/* SPDX-License-Identifier: MIT
 *
 * An assertion fails inside of an atomic section, if the other section came before: the schedule that leads there has
 * both.
 *
 * finding: assertion @assert
 * expect: optimal 2
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

int x, y;

static void *look(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	x++;
	assert(y == 0); /* @assert */
	mz_atomic_end();
	return NULL;
}

static void *set(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	y = 1;
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, look, NULL);
	pthread_create(&threads[1], NULL, set, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
