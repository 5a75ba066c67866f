/* SPDX-License-Identifier: MIT
 *
 * The value that main has set for a key is not there in another thread.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: assertion @get
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *run(void *arg)
{
	(void)arg;
	assert(pthread_getspecific(key) != NULL); /* @get */
	return NULL;
}

int main(void)
{
	pthread_t threads[1];
	pthread_key_create(&key, NULL);
	pthread_setspecific(key, &key);
	pthread_create(&threads[0], NULL, run, NULL);
	for (int i = 0; i < 1; i++) pthread_join(threads[i], NULL);
	return 0;
}
