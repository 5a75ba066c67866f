/* SPDX-License-Identifier: MIT
 *
 * strlen reads a string that another thread writes.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @call|@write
 */
#include <pthread.h>
#include <string.h>

char buffer[64] = "a string";
size_t length;

static void *run_call(void *arg)
{
	(void)arg;
	length = strlen(buffer); /* @call */
	return NULL;
}

static void *run_write(void *arg)
{
	(void)arg;
	buffer[3] = 'x'; /* @write */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_call, NULL);
	pthread_create(&threads[1], NULL, run_write, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
