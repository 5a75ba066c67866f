/* SPDX-License-Identifier: MIT
 *
 * Two threads send each other more than fits into a pipe before they read.
 *
 * expect: optimal 1
 * finding: deadlock @writes | @answers
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#define SIZE 8192 /* twice what fits */

int there[2], back[2];
char sent[SIZE], received[2][SIZE];

static void *other(void *arg)
{
	assert(write(back[1], sent, SIZE) == SIZE); /* @answers */
	assert(read(there[0], received[1], SIZE) > 0);
	return arg;
}

int main(void)
{
	pthread_t thread;
	assert(pipe(there) == 0 && pipe(back) == 0);
	assert(fcntl(there[1], F_SETPIPE_SZ, 4096) == 4096 && fcntl(back[1], F_SETPIPE_SZ, 4096) == 4096);
	pthread_create(&thread, NULL, other, NULL);
	assert(write(there[1], sent, SIZE) == SIZE); /* @writes */
	assert(read(back[0], received[0], SIZE) > 0);
	pthread_join(thread, NULL);
	return 0;
}
