/* SPDX-License-Identifier: MIT
 *
 * bench/programs/indexer.c for SPIN: N threads put four messages each into a table of 128 slots. One compare-exchange is
 * one transition; who has no more messages stays where it is.
 */
#ifndef N
#define N 12
#endif
#define SLOTS 128
#define MESSAGES 4
#define WORD (m * 11 + _pid)
#define HASH ((WORD * 7) % SLOTS)

byte table[SLOTS];

active [N] proctype worker()
{
	byte m = 1, slot = ((11 + _pid) * 7) % SLOTS;
end:	do
	:: d_step {
		m <= MESSAGES ->
		if
		:: table[slot] == 0 -> table[slot] = WORD; m++; slot = HASH
		:: else -> slot = (slot + 1) % SLOTS
		fi
	   }
	od
}
