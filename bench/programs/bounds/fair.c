/* SPDX-License-Identifier: MIT
 *
 * fair N R: N threads take turns, R rounds of them; who is not on yields. There is no end to how often.
 */
#include "../threads.h"
#include <sched.h>
#include <stdatomic.h>

static atomic_int turn;
static int threads, rounds;

static void *run(void *arg)
{
	for (int n = 0; n < rounds; n++) {
		while (atomic_load(&turn) != n * threads + number(arg)) sched_yield();
		atomic_fetch_add(&turn, 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	threads = argument(argc, argv, 1, 2, MAX_THREADS);
	rounds = argument(argc, argv, 2, 1, 100);
	run_threads(threads, run);
	return 0;
}
