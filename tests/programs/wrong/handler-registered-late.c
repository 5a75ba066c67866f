/* SPDX-License-Identifier: MIT
 *
 * A thread registers an exit handler while main returns: before main takes the only handler there is, so that the new
 * one comes first, after that, or too late.
 *
 * expect: optimal 3
 * expect: dfs 3
 * findings: exit @here
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int handled;

static void mains(void)
{
	handled = 1;
}

static void threads(void)
{
	if (handled) _exit(1); /* @here */
}

static void *thread(void *argument)
{
	atexit(threads);
	return argument;
}

int main(void)
{
	pthread_t other;
	atexit(mains);
	pthread_create(&other, NULL, thread, NULL);
	pthread_detach(other);
	return 0;
}
