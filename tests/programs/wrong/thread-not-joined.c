/* SPDX-License-Identifier: MIT
 *
 * Of three threads one is joined, one detached, and one forgotten.
 *
 * expect: optimal 1
 * expect: dfs 1
 * options: --thread-leaks
 * finding: leak @forgotten
 */
#include <pthread.h>
#include <stddef.h>

static void *run(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t joined, detached, forgotten;
	pthread_create(&joined, NULL, run, NULL);
	pthread_create(&detached, NULL, run, NULL);
	pthread_create(&forgotten, NULL, run, NULL); /* @forgotten */
	pthread_detach(detached);
	pthread_join(joined, NULL);
	return 0;
}
