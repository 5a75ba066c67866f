/* SPDX-License-Identifier: MIT
 *
 * Three threads and main exit, each with a status of its own. Only who is first matters, not who comes second and third.
 *
 * expect: optimal 4
 * expect: dfs 96
 * findings: exit @here
 */
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *status)
{
	exit((int)(long)status); /* @here */
}

int main(void)
{
	pthread_t others[3];
	for (long i = 0; i < 3; i++) pthread_create(&others[i], NULL, thread, (void *)(i + 1));
	return 0;
}
