/* SPDX-License-Identifier: MIT
 *
 * A thread that nobody waits for sleeps, and then finds that something is wrong: main may still be there.
 *
 * expect: optimal 1
 * expect: dfs 1
 * finding: assertion @here
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *run(void *arg)
{
	(void)arg;
	sleep(1);
	usleep(1);
	abort(); /* @here */
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	pthread_detach(thread);
	return 0;
}
