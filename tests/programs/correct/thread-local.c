/* SPDX-License-Identifier: MIT
 *
 * Thread-local variables and errno belong to the thread, across switches, and start fresh in every execution.
 *
 * expect: optimal 6
 * expect: dfs 6
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static __thread int own = 5;
static _Thread_local char zero[100];
static atomic_int shared;

static void *run(void *arg)
{
	int number = (int)(intptr_t)arg;
	assert(own == 5 && zero[99] == 0);
	own = number;
	zero[99] = (char)number;
	errno = number;
	atomic_fetch_add(&shared, 1);
	assert(own == number && zero[99] == number && errno == number);
	own++;
	errno++;
	atomic_fetch_add(&shared, 1);
	assert(own == number + 1 && errno == number + 1);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, (void *)(10 * (i + 1)));
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(own == 5 && zero[99] == 0);
	own = 6; /* seen by no other execution */
	return 0;
}
