/* SPDX-License-Identifier: MIT
 *
 * indexer N (Flanagan and Godefroid, POPL 2005): N threads put four messages each into a hash table of 128 slots with
 * compare-exchange. Up to 11 threads nobody ever meets anybody, which only shows at run time. papers/indexer-references.c
 * is the same with slots as Java has them.
 */
#include "threads.h"
#include <stdatomic.h>

#define SLOTS 128
#define MESSAGES 4

#ifdef REFERENCES /* the table has references to slots, which threads read before they compare and exchange */
static atomic_int *table[SLOTS];

static atomic_int *slot(int h)
{
	return table[h];
}

static void init(void)
{
	static atomic_int slots[SLOTS];
	for (int h = 0; h < SLOTS; h++) table[h] = &slots[h];
}
#else
static atomic_int table[SLOTS];

static atomic_int *slot(int h)
{
	return &table[h];
}

static void init(void)
{
}
#endif

static void insert(int w)
{
	int h = (w * 7) % SLOTS;
	for (int empty = 0; !atomic_compare_exchange_strong(slot(h), &empty, w); empty = 0) h = (h + 1) % SLOTS;
}

static void *run(void *arg)
{
	for (int m = 1; m <= MESSAGES; m++) insert(m * 11 + number(arg));
	return NULL;
}

int main(int argc, char **argv)
{
	init();
	run_threads(argument(argc, argv, 1, 12, MAX_THREADS), run);
	return 0;
}
