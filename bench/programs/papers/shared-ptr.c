/* SPDX-License-Identifier: MIT
 *
 * shared-ptr (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007, Fig. 11): each of two threads points a shared pointer at one
 * number, adds up the other one a hundred times, and then adds to the number that the pointer has by then.
 */
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>

#define ROUNDS 100

static atomic_int x = 3, y = 4;
static _Atomic(atomic_int *) p;
int sums[2];

static void add(atomic_int *to, int amount)
{
	atomic_store(to, atomic_load(to) + amount);
}

static bool in_range(int value)
{
	return 3 <= value && value <= 9;
}

static void *run(void *arg)
{
	int me = number(arg);
	atomic_int *mine = me ? &x : &y, *other = me ? &y : &x;
	atomic_store(&p, mine);
	for (int i = 0; i < ROUNDS; i++) sums[me] += atomic_load(other);
	add(atomic_load(&p), me ? 2 : 3);
	assert(in_range(atomic_load(&x)) && in_range(atomic_load(&y)));
	return NULL;
}

int main(void)
{
	run_threads(2, run);
	return 0;
}
