/* SPDX-License-Identifier: MIT
 *
 * shared-array (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007, Fig. 10): two threads fill every other element of an array
 * from a counter, and then raise the counter.
 *
 * C has no atomic blocks. Here a block begins with an operation that meets nobody, and no plain access in it is
 * visible (--points sync): so nobody comes between, but what the blocks touch still tells which of them depend on each
 * other. That it is no synchronization to the memory model is known: to be run with --no-races.
 */
#include "../threads.h"
#include <assert.h>
#include <mazurka.h>

#define N 64

int array[N], next[] = {0, 1}, counter = 1;

static void begin_block(int me)
{
	static char blocks[2];
	mz_access(&blocks[me], MZ_WRITE);
}

static void *run(void *arg)
{
	int me = number(arg);
	while (next[me] < N) {
		begin_block(me);
		array[next[me]] = counter + next[me];
		next[me] += 2;
	}
	begin_block(me);
	counter += 1 + next[1 - me];
	assert(counter <= 2 * N + 4);
	return NULL;
}

int main(void)
{
	run_threads(2, run);
	return 0;
}
