/* SPDX-License-Identifier: MIT
 *
 * main lends its threads a variable on its stack.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <assert.h>
#include <pthread.h>

struct shared {
	pthread_mutex_t mutex;
	int value;
};

static void *run(void *arg)
{
	struct shared *shared = arg;
	pthread_mutex_lock(&shared->mutex);
	shared->value++;
	pthread_mutex_unlock(&shared->mutex);
	return NULL;
}

int main(void)
{
	struct shared shared = {PTHREAD_MUTEX_INITIALIZER, 0};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, &shared);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(shared.value == 2);
	return 0;
}
