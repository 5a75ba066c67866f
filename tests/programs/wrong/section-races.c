/* SPDX-License-Identifier: MIT
 *
 * A section is atomic for other threads, but to those that access its variables outside of any section it promises
 * nothing: that is a data race.
 *
 * findings: data-race @inside|@outside
 * expect: optimal 1
 */
#include <mazurka.h>
#include <pthread.h>

int x;

static void *inside(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	x++; /* @inside */
	mz_atomic_end();
	return NULL;
}

static void *outside(void *arg)
{
	(void)arg;
	x = 5; /* @outside */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, inside, NULL);
	pthread_create(&threads[1], NULL, outside, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
