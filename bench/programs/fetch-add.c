/* SPDX-License-Identifier: MIT
 *
 * fetch-add N K: N threads add 1 to a counter K times each, atomically. (NK)! / (K!)^N traces: no two steps commute, so
 * this measures the price of a step and nothing else.
 */
#include "threads.h"
#include <stdatomic.h>

static atomic_int x;
static int rounds;

static void *run(void *arg)
{
	(void)arg;
	for (int i = 0; i < rounds; i++) atomic_fetch_add(&x, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3, MAX_THREADS);
	rounds = argument(argc, argv, 2, 2, 1000000);
	run_threads(threads, run);
	return 0;
}
