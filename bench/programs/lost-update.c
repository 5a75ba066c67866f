/* SPDX-License-Identifier: MIT
 *
 * lost-update N: N threads add 1 to a counter with an atomic load and an atomic store.
 */
#include "threads.h"
#include <stdatomic.h>

static atomic_int x;

static void *run(void *arg)
{
	(void)arg;
	int seen = atomic_load(&x);
	atomic_store(&x, seen + 1);
	return NULL;
}

int main(int argc, char **argv)
{
	run_threads(argument(argc, argv, 1, 3, MAX_THREADS), run);
	return 0;
}
