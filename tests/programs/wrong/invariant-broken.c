/* SPDX-License-Identifier: MIT
 *
 * What must hold does not in a state that only a few orders of independent writes lead to.
 *
 * expect: optimal 6
 * expect: dfs 6
 * finding: assertion @stated
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int z, q;

static int apart(void *unused)
{
	(void)unused;
	return !(atomic_load(&z) == 8 && atomic_load(&q) == 8);
}

static void *first(void *arg)
{
	atomic_store(&z, 8);
	atomic_store(&z, 42);
	return arg;
}

static void *second(void *arg)
{
	atomic_store(&q, 8);
	atomic_store(&q, 42);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	mz_invariant(apart, NULL); /* @stated */
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
