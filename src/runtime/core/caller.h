/* SPDX-License-Identifier: MIT
 *
 * Where the program called us from, as the entries of x86_64/entry.S note it: with the live part of its stack that is
 * all of a thread's local state, everything else is dead at a call. Noted for two purposes: to see that a thread spins
 * (spin.h), and to tell states apart (identity.h).
 */
#ifndef MZ_RUNTIME_CORE_CALLER_H
#define MZ_RUNTIME_CORE_CALLER_H

/* What entries of a kind note of a call: nothing (0), the place (MZ_NOTES_PLACE), or everything (MZ_NOTES_ALL). */
#define MZ_NOTES_PLACE 1
#define MZ_NOTES_ALL (MZ_NOTES_PLACE | MZ_NOTES_WIPES)
/* Entries also wipe what the call has left on the stack: at least MZ_NOTES_WIPED bytes, more than any function of ours
 * uses. */
#define MZ_NOTES_WIPES 2
#define MZ_NOTES_WIPED 1024

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#define MZ_CALLER_ARGUMENTS 6

struct mz_caller {
	uintptr_t place;       /* return address of the call; 0: no call was noted */
	uint8_t *sp;           /* the program's stack pointer, behind the return address */
	uint64_t registers[6]; /* the registers that calls preserve */
	/* only where states are told apart: */
	uint64_t function;                       /* a number for the function that was called */
	uint64_t arguments[MZ_CALLER_ARGUMENTS]; /* its arguments; 0 beyond those that it takes */
};

/* The last noted call. Code that has made use of it sets `place` to 0. */
extern struct mz_caller mz_caller;

extern uint8_t mz_notes_reads;        /* operations that may turn out to be reads */
extern uint8_t mz_notes_writes;       /* all other operations */
extern uint8_t mz_notes_plain_reads;  /* plain accesses, which are not always visible operations */
extern uint8_t mz_notes_plain_writes; /* plain writes, and calls that make several plain accesses */
extern uint8_t mz_notes_others;       /* calls that are no operations */
extern bool mz_plain_is_more;         /* plain accesses need more than the check for data races: see access.c */

/* Keep what was noted of a call during which other threads run, and note it again for the next operation of the call.
 * (Where states are told apart one call may be several operations, and entries note it for the first of them only.) */
struct mz_caller mz_caller_keep(void);
void mz_caller_again(const struct mz_caller *noted);

/* Reports whether entries wipe what calls leave on the stacks: they do where live stacks are compared. */
static inline bool mz_caller_wipes(void)
{
	return mz_notes_others;
}

/* Wipes, where stacks are compared, what earlier calls have left below the stack pointer. Called by functions of the
 * runtime before they call the program: the program's frames go there, and would differ by what was left. */
void mz_caller_wipe(void);

/* Called before the C library runs on the stack of a thread: it uses more stack than entries wipe by themselves, so the
 * next entry wipes more. */
void mz_caller_deepens(void);

/* Sets what entries note in the next execution. If it `tells` states apart: everything. If spinning threads are
 * recognised (`spins`): the place of reads, and of plain accesses too if `all` of them are operations. With `wipes`,
 * entries wipe what calls leave on the stacks. */
void mz_caller_reset(bool tells, bool wipes, bool spins, bool all);

/* Sets whether plain accesses are told to mz_follow() from now on. */
void mz_caller_follow(bool follows);

/* The low end of the running thread's stack, and where the lowest stack pointer since the last wiping is noted. Both
 * are NULL while no thread runs. */
struct mz_stack {
	uint8_t *low, **lowest;
};
extern struct mz_stack mz_stack;

extern const char mz_entries_start[], mz_entries_end[];

/* Returns the place in the program from which a function was called, given its return address and the stack pointer
 * behind it. If an entry made the call, that is the return address of the entry. */
static inline uintptr_t mz_caller_of(uintptr_t place, const uintptr_t *stack)
{
	if (__builtin_expect(!mz_notes_others, 1)) return place; /* entries are not in use */
	bool entered = place - (uintptr_t)mz_entries_start < (uintptr_t)(mz_entries_end - mz_entries_start);
	return entered ? stack[1] : place;
}

/* Returns the stack pointer behind the return address that is CALLER, which mz_caller_of() returned. */
static inline uintptr_t mz_caller_stack(uintptr_t caller, uintptr_t place, const uintptr_t *stack)
{
	return (uintptr_t)(caller == place ? stack : stack + 2); /* entries push two words */
}

#endif
#endif
