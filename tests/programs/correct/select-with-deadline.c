/* SPDX-License-Identifier: MIT
 *
 * A thread waits for any of two pipes, for a second at most: it hears of one, of both, or of none.
 *
 * expect: optimal 4
 * expect: dfs 90
 */
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int ends[2][2];

static void *write_to(void *arg)
{
	assert(write(*(int *)arg, "x", 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct timeval most = {.tv_sec = 1};
	struct timespec before, after;
	fd_set ready;
	FD_ZERO(&ready);
	clock_gettime(CLOCK_MONOTONIC, &before);
	for (int i = 0; i < 2; i++) {
		assert(pipe(ends[i]) == 0);
		FD_SET(ends[i][0], &ready);
	}
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_to, &ends[i][1]);
	int n = select(ends[1][0] + 1, &ready, NULL, NULL, &most);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert(n == (FD_ISSET(ends[0][0], &ready) != 0) + (FD_ISSET(ends[1][0], &ready) != 0));
	assert(n > 0 || after.tv_sec - before.tv_sec >= 1);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
