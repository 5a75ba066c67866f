/* SPDX-License-Identifier: MIT
 *
 * memcpy writes a byte that another thread reads.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @call|@read
 */
#include <pthread.h>
#include <string.h>

char buffer[64];
char seen;

static void *run_call(void *arg)
{
	(void)arg;
	memcpy(buffer + 8, "0123456789", 10); /* @call */
	return NULL;
}

static void *run_read(void *arg)
{
	(void)arg;
	seen = buffer[15]; /* @read */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_call, NULL);
	pthread_create(&threads[1], NULL, run_read, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
