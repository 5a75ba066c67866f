/* SPDX-License-Identifier: MIT
 *
 * Plain accesses to different bytes of a word, and to different fields, do not race.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <pthread.h>

static struct {
	char bytes[4];
	short left, right;
} shared;

static void *run_left(void *arg)
{
	(void)arg;
	shared.bytes[0]++;
	shared.bytes[2]++;
	shared.left = 1;
	return NULL;
}

static void *run_right(void *arg)
{
	(void)arg;
	shared.bytes[1]++;
	shared.bytes[3]++;
	shared.right = 1;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_left, NULL);
	pthread_create(&threads[1], NULL, run_right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(shared.bytes[0] == 1 && shared.bytes[3] == 1 && shared.left == 1 && shared.right == 1);
	return 0;
}
