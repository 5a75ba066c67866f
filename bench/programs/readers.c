/* SPDX-License-Identifier: MIT
 *
 * readers N: one thread writes a variable once, N threads read it once. Each reader is before or after the writer and
 * readers commute: 2^N traces of N+1 threads.
 */
#include "threads.h"
#include <stdatomic.h>

static atomic_int x;

static void *run(void *arg)
{
	if (number(arg) == 0)
		atomic_store(&x, 1);
	else
		atomic_load(&x);
	return NULL;
}

int main(int argc, char **argv)
{
	run_threads(argument(argc, argv, 1, 8, MAX_THREADS - 1) + 1, run);
	return 0;
}
