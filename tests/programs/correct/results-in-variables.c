/* SPDX-License-Identifier: MIT
 *
 * Functions that are modelled give their results in variables: those are no writes that nobody sees.
 *
 * expect: optimal 1
 * expect: dfs 1
 * options: --points all
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_t threads[2];
pthread_key_t key;
void *result;
struct timespec now;

static void *run(void *arg)
{
	return arg;
}

int main(void)
{
	assert(pthread_key_create(&key, NULL) == 0 && pthread_setspecific(key, &key) == 0);
	assert(clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec > 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &threads[i]);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		assert(result == &threads[i]);
	}
	return 0;
}
