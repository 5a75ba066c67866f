/* SPDX-License-Identifier: MIT
 *
 * Where the program called us from, as the entries of x86_64/entry.S note it: with the live part of its stack that is
 * all of a thread's local state, everything else is dead at a call. Noted for two purposes: to see that a thread spins
 * (spin.h), and to tell states apart (identity.h).
 */
#ifndef MZ_RUNTIME_CORE_CALLER_H
#define MZ_RUNTIME_CORE_CALLER_H

/* What is noted, for each kind of entry: nothing (0), MZ_NOTES_PLACE, or all of it. */
#define MZ_NOTES_PLACE 1
#define MZ_NOTES_ALL (MZ_NOTES_PLACE | MZ_NOTES_WIPES)
/* And what a call leaves behind on the stack is wiped out: so many bytes at least, more than any of ours uses. */
#define MZ_NOTES_WIPES 2
#define MZ_NOTES_WIPED 1024

#ifndef __ASSEMBLER__

#include <stdbool.h>
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

extern uint8_t mz_notes_reads;        /* operations that may turn out to be reads */
extern uint8_t mz_notes_writes;       /* all others */
extern uint8_t mz_notes_plain_reads;  /* plain accesses, which are not always visible operations */
extern uint8_t mz_notes_plain_writes; /* likewise; and what makes several of them */
extern uint8_t mz_notes_others;       /* what is no operation at all */
extern bool mz_plain_is_more;         /* plain accesses are more than something to look for races at: see access.c */

/* What was noted of a call in which others go on, to be noted again for the operation that follows. Where states are
 * told apart, one call is several operations, and is noted for the first of them only. */
struct mz_caller mz_caller_keep(void);
void mz_caller_again(const struct mz_caller *noted);

/* Whether what calls leave behind on the stacks is wiped out: where live stacks are compared. */
static inline bool mz_caller_wipes(void)
{
	return mz_notes_others;
}

/* To be called by what is to call the program: what is ours on the stack then tells states apart as well, and so does
 * what calls before have left below, where the program makes its frames. Where that matters it is wiped out. */
void mz_caller_wipe(void);

/* To be called before the C library runs on the stack of the thread, if it is at one: it uses more of that than entries
 * wipe out by themselves. The next entry wipes out more. */
void mz_caller_deepens(void);

/* What is noted in the next execution: where it `tells` states apart, all of it; where threads that spin are recognised
 * (`spins`), the place of reads, and of plain accesses too if `all` of them are operations. `wipes`: what calls leave
 * behind on the stacks is wiped out. */
void mz_caller_reset(bool tells, bool wipes, bool spins, bool all);

/* How deep the stack of the thread that runs may get, and where it is noted how deep it was since it was wiped: NULL
 * while no thread runs. */
struct mz_stack {
	uint8_t *low, **lowest;
};
extern struct mz_stack mz_stack;

extern const char mz_entries_start[], mz_entries_end[];

/* Who called a function, given its return address and where the stack began when it was called: an entry, which was
 * called itself, or the program. */
static inline uintptr_t mz_caller_of(uintptr_t place, const uintptr_t *stack)
{
	if (__builtin_expect(!mz_notes_others, 1)) return place; /* entries call nobody */
	bool entered = place - (uintptr_t)mz_entries_start < (uintptr_t)(mz_entries_end - mz_entries_start);
	return entered ? stack[1] : place;
}

#endif
#endif
