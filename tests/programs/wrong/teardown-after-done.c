/* SPDX-License-Identifier: MIT
 *
 * The context of a thread is freed once it has said that it is done; but it still looks at the context after that.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: data-race @here|@free
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
	if (context->verbose) chatty = 1; /* @here */
	return NULL;
}

int main(void)
{
	pthread_t thread;
	struct context *context = calloc(1, sizeof *context);
	pthread_create(&thread, NULL, run, context);
	while (!atomic_load(&context->done)) {}
	free(context); /* @free */
	pthread_join(thread, NULL);
	return 0;
}
