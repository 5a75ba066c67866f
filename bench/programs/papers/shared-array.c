/* SPDX-License-Identifier: MIT
 *
 * shared-array (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007, Fig. 10): two threads fill every other element of an array
 * from a counter, and then raise the counter. The paper's atomic blocks are atomic sections; a block has the condition
 * of its loop in it, as its numbers of states say.
 */
#include "../threads.h"
#include <assert.h>

#define N 64

/* Not static: the compiler would leave out an array that nobody reads, and the reads of the counter with it. */
int array[N], next[] = {0, 1}, counter = 1;

/* Makes one block. Returns whether there is another one. */
static bool make_block(int me)
{
	mz_atomic_begin();
	bool more = next[me] < N;
	if (more) {
		array[next[me]] = counter + next[me];
		next[me] += 2;
	} else {
		counter += 1 + next[1 - me];
		assert(counter <= 2 * N + 4);
	}
	mz_atomic_end();
	return more;
}

static void *run(void *arg)
{
	while (make_block(number(arg))) {}
	return NULL;
}

int main(void)
{
	run_threads(2, run);
	return 0;
}
