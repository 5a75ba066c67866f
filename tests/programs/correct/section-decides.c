/* SPDX-License-Identifier: MIT
 *
 * What a section touches depends on what it reads: once the flag is set it does not write the value, and the order with
 * its reader no longer matters.
 *
 * expect: optimal 3
 * expect: dfs 6
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>

int flag, value, seen;

static void *set(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	flag = 1;
	mz_atomic_end();
	return NULL;
}

static void *decide(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	if (!flag) value = 7;
	mz_atomic_end();
	return NULL;
}

static void *look(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	seen = value;
	mz_atomic_end();
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, set, NULL);
	pthread_create(&threads[1], NULL, decide, NULL);
	pthread_create(&threads[2], NULL, look, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	assert(seen == 0 || seen == 7);
	return 0;
}
