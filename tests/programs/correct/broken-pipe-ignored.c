/* SPDX-License-Identifier: MIT
 *
 * Whoever writes after the last reader has gone is told so, by an error.
 *
 * expect: optimal 2
 * expect: dfs 3
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
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
	assert(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	assert(pipe(ends) == 0);
	pthread_create(&reader, NULL, leave, NULL);
	ssize_t n = write(ends[1], "x", 1);
	assert(n == 1 || (n == -1 && errno == EPIPE));
	pthread_join(reader, NULL);
	return 0;
}
