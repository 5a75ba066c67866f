/* SPDX-License-Identifier: MIT
 *
 * main reads the result before it has waited for the thread.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @write|@read
 */
#include <pthread.h>

int result;
int seen;

static void *run(void *arg)
{
	(void)arg;
	result = 42; /* @write */
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	seen = result; /* @read */
	pthread_join(thread, NULL);
	return 0;
}
