/* SPDX-License-Identifier: MIT
 *
 * robots N (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007, Fig. 1): N robots, two or three, run through a square of fields
 * for ever, each along its own diagonals. The first two meet in two rows only; the third meets nobody. Which fields two
 * robots share is not to be seen without running them.
 */
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>

#define SIDE 12

static const int columns[] = {0, 4, 7};
static atomic_bool taken[SIDE][SIDE];

static int turn(int at, int direction)
{
	return at == 0 || at == SIDE - 1 ? -direction : direction;
}

static void *run(void *arg)
{
	int x = columns[number(arg)], y = 0, right = 1, down = 1;
	for (;;) {
		atomic_store(&taken[x][y], false);
		x += right;
		y += down;
		right = turn(x, right);
		down = turn(y, down);
		assert(!atomic_load(&taken[x][y]) || x == 9 || x == 2);
		atomic_store(&taken[x][y], true);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	run_for_ever(argument(argc, argv, 1, 2, 3), run);
}
