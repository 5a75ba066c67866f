/* SPDX-License-Identifier: MIT
 *
 * A loop that is woken through a pipe looks at the work first, and then reads what woke it: also what was written
 * in between, for work that it has not seen.
 *
 * expect: optimal 16
 * expect: dfs 1260
 * finding: deadlock @waits
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

int ends[2];
atomic_int work;

static void *submit(void *arg)
{
	atomic_fetch_add(&work, 1);
	assert(write(ends[1], "x", 1) == 1);
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	int done = 0;
	assert(pipe2(ends, O_NONBLOCK) == 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, submit, NULL);
	while (done < 2) {
		struct pollfd polled = {.fd = ends[0], .events = POLLIN};
		char drained[8];
		assert(poll(&polled, 1, -1) == 1); /* @waits */
		done += atomic_exchange(&work, 0);
		assert(read(ends[0], drained, sizeof drained) > 0);
	}
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
