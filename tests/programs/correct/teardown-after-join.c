/* SPDX-License-Identifier: MIT
 *
 * The context of a thread is freed once it is joined: what it does after it has said that it is done is no matter.
 *
 * expect: optimal 2
 * expect: dfs 2
 * counted: -O2
 * builds: gcc-O2 clang-O0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct context {
	atomic_int done;
	int verbose;
};

int chatty;

static void *run(void *arg)
{
	struct context *context = arg;
	atomic_store(&context->done, 1);
	if (context->verbose) chatty = 1;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct context *context = calloc(1, sizeof *context);
	pthread_create(&thread, NULL, run, context);
	while (!atomic_load(&context->done)) {}
	pthread_join(thread, NULL);
	free(context);
	return 0;
}
