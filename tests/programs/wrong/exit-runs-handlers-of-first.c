/* SPDX-License-Identifier: MIT
 *
 * Main and a thread exit with the same status. Which of them runs the handler is decided by who is first, and the handler relies on main.
 *
 * expect: optimal 4
 * expect: dfs 34
 * finding: assertion @here
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void handler(void)
{
	int first = x, second = y;
	assert(!first || second); /* @here */
}

static void *thread(void *unused)
{
	x = 1;
	exit(0);
	return unused;
}

int main(void)
{
	pthread_t other;
	atexit(handler);
	pthread_create(&other, NULL, thread, NULL);
	y = 1;
	return 0;
}
