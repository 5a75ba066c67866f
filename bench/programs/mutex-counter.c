/* SPDX-License-Identifier: MIT
 *
 * mutex-counter N K: N threads add 1 to a counter K times each, under a mutex. As many traces as there are orders of
 * the critical sections.
 */
#include "threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, rounds;

static void *run(void *arg)
{
	(void)arg;
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		x++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3, MAX_THREADS);
	rounds = argument(argc, argv, 2, 1, 1000000);
	run_threads(threads, run);
	return 0;
}
