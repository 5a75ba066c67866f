/* SPDX-License-Identifier: MIT
 *
 * A signal other than a bad address: a division by what another thread has set to 0.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: crash @here
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;
int result;

static void *divider(void *arg)
{
	(void)arg;
	result = 100 / atomic_load(&divisor); /* @here */
	return NULL;
}

static void *setter(void *arg)
{
	(void)arg;
	atomic_store(&divisor, 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, divider, NULL);
	pthread_create(&threads[1], NULL, setter, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
