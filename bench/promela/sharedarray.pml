/* SPDX-License-Identifier: MIT
 *
 * bench/programs/papers/shared-array.c for SPIN: two threads fill every other element of an array. A block is one
 * transition; who is done goes on doing nothing.
 */
#define SIZE 64
#define NEXT(who) (2 * made[who] + who)

short array[SIZE], counter = 1;
byte made[2];

active [2] proctype filler()
{
	bool over = false;
	do
	:: d_step { !over && NEXT(_pid) < SIZE -> array[NEXT(_pid)] = counter + NEXT(_pid); made[_pid] = made[_pid] + 1 }
	:: d_step {
		!over && NEXT(_pid) >= SIZE ->
		counter = counter + 1 + NEXT(1 - _pid);
		assert(counter <= 2 * SIZE + 4);
		over = true
	   }
	:: over
	od
}
