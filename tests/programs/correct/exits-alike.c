/* SPDX-License-Identifier: MIT
 *
 * Several threads end the process with the same status and no handlers. Nobody can tell which was first, so there is one execution.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *exits(void *unused)
{
	exit(0);
	return unused;
}

static void *ends(void *unused)
{
	_exit(0);
	return unused;
}

int main(void)
{
	pthread_t others[3];
	for (int i = 0; i < 3; i++) pthread_create(&others[i], NULL, i == 1 ? ends : exits, NULL);
	return 0;
}
