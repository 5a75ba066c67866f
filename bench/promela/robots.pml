/* SPDX-License-Identifier: MIT
 *
 * bench/programs/papers/robots.c for SPIN: N robots, two or three. One access to the fields is one transition.
 */
#ifndef N
#define N 2
#endif
#define SIDE 12
#define FIELD taken[x * SIDE + y]
#define COLUMN (_pid == 0 -> 0 : (_pid == 1 -> 4 : 7))
#define TURN(at, forward) if :: at == 0 || at == SIDE - 1 -> forward = !forward :: else fi

bool taken[SIDE * SIDE];

active [N] proctype robot()
{
	byte x = COLUMN, y = 0;
	bool right = true, down = true;
	do
	:: d_step {
		FIELD = false;
		x = (right -> x + 1 : x - 1);
		y = (down -> y + 1 : y - 1);
		TURN(x, right);
		TURN(y, down)
	   }
	   assert(!FIELD || x == 9 || x == 2);
	   FIELD = true
	od
}
