/* SPDX-License-Identifier: MIT
 *
 * bench/programs/papers/philosophers.c for SPIN: N philosophers, left fork first, for ever.
 */
#ifndef N
#define N 3
#endif
#define TAKE(fork) d_step { !taken[fork] -> taken[fork] = true }

bool taken[N];

active [N] proctype philosopher()
{
	do
	:: TAKE(_pid);
	   TAKE((_pid + 1) % N);
	   taken[(_pid + 1) % N] = false;
	   taken[_pid] = false
	od
}
