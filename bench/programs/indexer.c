/* SPDX-License-Identifier: MIT
 *
 * indexer N (Flanagan and Godefroid, POPL 2005): N threads put four messages each into a hash table of 128 slots with
 * compare-exchange. Up to 11 threads nobody ever meets anybody, which only shows at run time.
 */
#include "threads.h"
#include <stdatomic.h>

#define SLOTS 128
#define MESSAGES 4

static atomic_int table[SLOTS];

static void insert(int w)
{
	int h = (w * 7) % SLOTS;
	for (int empty = 0; !atomic_compare_exchange_strong(&table[h], &empty, w); empty = 0) h = (h + 1) % SLOTS;
}

static void *run(void *arg)
{
	for (int m = 1; m <= MESSAGES; m++) insert(m * 11 + number(arg));
	return NULL;
}

int main(int argc, char **argv)
{
	run_threads(argument(argc, argv, 1, 12, MAX_THREADS), run);
	return 0;
}
