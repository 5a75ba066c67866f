/* SPDX-License-Identifier: MIT
 *
 * ownership N R: N threads pass R regions around: each takes two neighbouring ones, yielding while they belong to
 * others, uses them, and gives them back. Wrong: who finds the second taken gives the first back, so that nobody waits
 * for ever, and takes it back later as if it had been his all the time. Assertion, once two threads use a region at
 * once.
 */
#include "../threads.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int owner[MAX_THREADS], users[MAX_THREADS];
static int regions;

static bool take(int region, int who)
{
	int nobody = 0;
	return atomic_compare_exchange_strong(&owner[region], &nobody, who);
}

static void use(int region)
{
	assert(atomic_fetch_add(&users[region], 1) == 0);
	atomic_fetch_sub(&users[region], 1);
}

static void *run(void *arg)
{
	int who = number(arg) + 1, first = number(arg) % regions, second = (first + 1) % regions;
	while (!take(first, who)) sched_yield();
	while (!take(second, who)) {
		atomic_store(&owner[first], 0);
		sched_yield();
		atomic_store(&owner[first], who); /* somebody may have it */
	}
	use(first);
	use(second);
	atomic_store(&owner[second], 0);
	atomic_store(&owner[first], 0);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 2, MAX_THREADS);
	regions = argument(argc, argv, 2, 2, MAX_THREADS);
	run_threads(threads, run);
	return 0;
}
