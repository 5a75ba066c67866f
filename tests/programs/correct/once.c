/* SPDX-License-Identifier: MIT
 *
 * What three threads want done is done once, and each knows of it.
 *
 * expect: optimal 15
 * expect: dfs 132
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;

static void start(void)
{
	times++;
}

static void *run(void *arg)
{
	(void)arg;
	pthread_once(&once, start);
	assert(times == 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, NULL);
	pthread_create(&threads[2], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
