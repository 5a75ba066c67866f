/* SPDX-License-Identifier: MIT
 *
 * The handlers of quick_exit run, the last one first, and _exit in another thread may come before, within or after them. Those of exit
 * never run.
 *
 * expect: optimal 4
 * expect: dfs 10
 * finding: exit @within
 * finding: exit @quick
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int x;
static int handled;

static void never(void)
{
	assert(!"called");
}

static void first(void)
{
	assert(handled == 1);
}

static void second(void)
{
	handled = 1;
	x = 5;
}

static void *thread(void *unused)
{
	_exit(x); /* @within */
	return unused;
}

int main(void)
{
	pthread_t other;
	atexit(never);
	at_quick_exit(first);
	at_quick_exit(second);
	pthread_create(&other, NULL, thread, NULL);
	quick_exit(1); /* @quick */
}
