/* SPDX-License-Identifier: MIT
 *
 * Where the program called us from, as the entries of x86_64/entry.S note it: with the live part of its stack that is
 * all of a thread's local state, everything else is dead at a call. Noted for two purposes: to see that a thread spins
 * (spin.h), and to tell states apart (identity.h).
 */
#ifndef MZ_RUNTIME_CALLER_H
#define MZ_RUNTIME_CALLER_H

#include <stdint.h>

#define MZ_CALLER_ARGUMENTS 6

struct mz_caller {
	uintptr_t place;       /* return address; 0: nothing was noted */
	uint8_t *sp;           /* behind it */
	uint64_t registers[6]; /* those that calls preserve */
	/* only where states are told apart: */
	uint64_t function;                       /* a number of what was called */
	uint64_t arguments[MZ_CALLER_ARGUMENTS]; /* 0 where it takes fewer */
};

/* The last call that was noted. Whoever makes use of it sets `place` to 0. */
extern struct mz_caller mz_caller;

/* What is noted, for each kind of entry: nothing (0), MZ_NOTES_PLACE, or all of it. */
#define MZ_NOTES_PLACE 1
#define MZ_NOTES_ALL 3
extern uint8_t mz_notes_reads;        /* operations that may turn out to be reads */
extern uint8_t mz_notes_writes;       /* all others */
extern uint8_t mz_notes_plain_reads;  /* plain accesses, which are not always visible operations */
extern uint8_t mz_notes_plain_writes; /* likewise; and what makes several of them */

/* For the next execution, by what mz_rt says. */
void mz_caller_reset(void);

#endif
