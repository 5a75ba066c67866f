/* SPDX-License-Identifier: MIT
 *
 * A thread that sees that main is ready exits with a status, and main returns another one: who is first decides.
 *
 * expect: optimal 3
 * expect: dfs 8
 * finding: exit @here
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *thread(void *unused)
{
	if (ready) exit(3); /* @here */
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, thread, NULL);
	ready = 1;
	return 0;
}
