/* SPDX-License-Identifier: MIT
 *
 * Accesses to an object the program names itself: weak writes commute with each other, a read does not commute with
 * them.
 *
 * expect: optimal 8
 * expect: dfs 24
 */
#include <mazurka.h>
#include <pthread.h>

static int set;

static void *add(void *arg)
{
	(void)arg;
	mz_access(&set, MZ_WEAK_WRITE);
	return NULL;
}

static void *look(void *arg)
{
	(void)arg;
	mz_access(&set, MZ_WEAK_READ);
	return NULL;
}

static void *replace(void *arg)
{
	(void)arg;
	mz_access(&set, MZ_WRITE);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	pthread_create(&threads[0], NULL, add, NULL);
	pthread_create(&threads[1], NULL, add, NULL);
	pthread_create(&threads[2], NULL, look, NULL);
	pthread_create(&threads[3], NULL, replace, NULL);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	return 0;
}
