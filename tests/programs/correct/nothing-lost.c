/* SPDX-License-Identifier: MIT
 *
 * Everything that was allocated can still be reached at the end, from wherever it may be: variables, thread-local ones,
 * other blocks, their middle, the stacks of threads that are left, what a thread returned, exit handlers.
 *
 * expect: optimal 1
 * expect: dfs 1
 * options: --leaks --thread-leaks
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct link {
	struct link *next;
	char more[1000];
};

struct link *chain; /* not static: the compiler does not know that nobody looks */
char *middle;
_Thread_local char *own;
static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_ever(void *arg)
{
	char *kept = malloc(50);
	own = malloc(60);
	memset(kept, 1, 50);
	pthread_mutex_lock(&never);
	free(kept);
	return arg;
}

static void *result(void *arg)
{
	(void)arg;
	return malloc(70);
}

static void last(int status, void *block)
{
	(void)status;
	free(block);
}

__attribute__((noinline)) static void finish(const char *local)
{
	exit(local[0] == 1 ? 0 : 2);
}

int main(void)
{
	pthread_t waits, returns;
	char *volatile local = malloc(80);
	local[0] = 1;
	for (int i = 0; i < 5; i++) {
		struct link *link = malloc(sizeof *link);
		link->next = chain;
		chain = link;
	}
	middle = (char *)malloc(5000) + 4000;
	on_exit(last, malloc(90));
	pthread_mutex_lock(&never);
	pthread_create(&waits, NULL, wait_for_ever, NULL);
	pthread_detach(waits);
	pthread_create(&returns, NULL, result, NULL);
	pthread_detach(returns);
	finish(local);
	local[1] = 1;
	return local[1];
}
