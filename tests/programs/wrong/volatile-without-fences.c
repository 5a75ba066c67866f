/* SPDX-License-Identifier: MIT
 *
 * A volatile flag is no race with --volatile atomic, but it orders nothing: what it is to publish needs a fence.
 *
 * options: --volatile atomic
 * expect: optimal 2
 * expect: dfs 2
 * findings: data-race @write|@read
 * unseen: data-race
 */
#include <assert.h>
#include <pthread.h>

volatile int ready;
int value;

static void *publish(void *unused)
{
	value = 42; /* @write */
	ready = 1;
	return unused;
}

static void *look(void *unused)
{
	if (!ready) return unused;
	assert(value == 42); /* @read */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, publish, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
