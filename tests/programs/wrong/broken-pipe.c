/* SPDX-License-Identifier: MIT
 *
 * Whoever writes after the last reader has gone gets a signal that ends the program.
 *
 * expect: optimal 2
 * expect: dfs 3
 * finding: crash @writes
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];

static void *leave(void *arg)
{
	assert(close(ends[0]) == 0);
	return arg;
}

int main(void)
{
	pthread_t reader;
	assert(pipe(ends) == 0);
	pthread_create(&reader, NULL, leave, NULL);
	assert(write(ends[1], "x", 1) == 1); /* @writes */
	pthread_join(reader, NULL);
	return 0;
}
