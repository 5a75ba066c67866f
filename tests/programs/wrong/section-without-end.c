/* SPDX-License-Identifier: MIT
 *
 * A thread returns from the middle of an atomic section.
 *
 * finding: misuse @begin
 * expect: optimal 2
 */
#include <mazurka.h>
#include <pthread.h>

int x;

static void *forget(void *arg)
{
	(void)arg;
	mz_atomic_begin(); /* @begin */
	if (++x) return NULL;
	mz_atomic_end();
	return NULL;
}

static void *add(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	x++;
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, forget, NULL);
	pthread_create(&threads[1], NULL, add, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
