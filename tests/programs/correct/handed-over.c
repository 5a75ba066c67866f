/* SPDX-License-Identifier: MIT
 *
 * A block is allocated by one thread, used by a second and freed by a third.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *allocate(void *arg)
{
	(void)arg;
	return calloc(4, sizeof(int));
}

static void *use(void *arg)
{
	int *block = arg;
	for (int i = 0; i < 4; i++) block[i] += i;
	return block;
}

static void *release(void *arg)
{
	int *block = arg;
	assert(block[3] == 3);
	free(block);
	return NULL;
}

int main(void)
{
	void *(*steps[])(void *) = {allocate, use, release};
	void *block = NULL;
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, steps[i], block);
		pthread_join(thread, &block);
	}
	return 0;
}
