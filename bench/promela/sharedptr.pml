/* SPDX-License-Identifier: MIT
 *
 * bench/programs/papers/shared-ptr.c for SPIN, in the transitions of tests/engine/helpers/models.c: each thread has its
 * summand and sum by its number, and the pointer is 0 for x and 1 for y. Who is done goes on doing nothing.
 */
#define ROUNDS 100
#define ADD(value) value = value + (_pid == 0 -> 3 : 2)

byte x = 3, y = 4, to;
short sums[2];

active [2] proctype adder()
{
	byte at = 0;
	do
	:: d_step { at == 0 -> to = 1 - _pid; at++ }
	:: d_step { at > 0 && at <= ROUNDS -> sums[_pid] = sums[_pid] + (_pid == 0 -> x : y); at++ }
	:: d_step { at == ROUNDS + 1 -> at++ }
	:: d_step {
		at == ROUNDS + 2 ->
		if
		:: to == 0 -> ADD(x)
		:: else -> ADD(y)
		fi;
		assert(x >= 3 && x <= 9 && y >= 3 && y <= 9);
		at++
	   }
	:: at > ROUNDS + 2
	od
}
