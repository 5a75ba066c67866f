/* SPDX-License-Identifier: MIT
 *
 * What a program under test can tell Mazurka. Every function here also works when the program runs by itself:
 * mz_choose() then returns 0, mz_exploring() returns 0, mz_check() explores the function it is given, and the others do
 * nothing.
 */
#ifndef MAZURKA_H
#define MAZURKA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an operation touches an object. Weak writes commute with each other and with weak reads; a weak read
 * conflicts with a write only; a read conflicts with writes and weak writes; a write conflicts with everything. */
typedef enum mz_access_kind { MZ_READ, MZ_WRITE, MZ_WEAK_READ, MZ_WEAK_WRITE } mz_access_kind;

/* How to explore: all zero is the default, as for the options of `mazurka run` with the same names. */
typedef struct mz_options {
	const char *strategy;
	const char *order;
	int no_sleep;
	unsigned long seed;
	unsigned depth;
	int points_all; /* --points all */
	int no_races;
	int volatile_atomic; /* --volatile atomic */
	int keep_going;
	int count_traces;
	unsigned long max_executions;
	unsigned long max_steps;
	double timeout;   /* seconds */
	int quiet;        /* no report on standard error */
	const char *out;  /* folder for traces */
	const char *json; /* file for the result */
	int bounded;      /* explore only executions with at most `preemptions` preemptions */
	unsigned preemptions;
	int iterate; /* raise that bound from 0 until it leaves nothing out; up to `preemptions` if bounded */
	/* explore only executions in which a thread that goes is at most `yields` yields ahead of others that could:
	 * --fair */
	int fair;
	unsigned yields;
	int delayed; /* explore only executions that depart from a fixed scheduler at most `delays` times */
	unsigned delays;
	unsigned max_depth;       /* explore only executions of at most so many steps */
	unsigned long max_memory; /* bytes, for known states, remembered graphs or checkpoints */
	int heap_reuse;           /* --heap reuse */
	int leaks;
	int thread_leaks;
	const char *fail;
	unsigned max_faults;
} mz_options;

/* Explores test(arg) in processes forked from this one, so that nothing it does is left behind. Returns 0 if everything
 * was explored and no bug was found, 1 if a bug was found (it is reported on standard error), 2 if test could not be
 * explored, 3 if a limit ended the exploration before it was complete. Within an exploration it just calls test(arg).
 */
int mz_check(void (*test)(void *), void *arg, const mz_options *options);

/* Returns a value from 0 to n-1; every one of them is explored. */
int mz_choose(int n);

/* Makes an object an input of the program: every value of it that makes the program behave differently is explored, if
 * the program was built with `mazurka cc --symbolic`; else its bytes become 0. `name` is for reports. */
void mz_symbolic(void *object, size_t size, const char *name);

/* Drops this execution, silently, unless the condition holds: the thread goes no further. What other threads do does not
 * depend on that, and is still looked at. */
void mz_assume(int condition);

/* Says that the thread makes no progress until another thread does something. sched_yield means the same. */
void mz_yield(void);

/* What a thread does from mz_atomic_begin() to mz_atomic_end() is one step: no other thread runs meanwhile. Sections may
 * be nested, and end with the outermost. Two accesses in sections are no data race; one in a section and one outside may
 * be. A thread that has to wait inside a section (for a lock, a condition, the end of a thread), that ends there or goes
 * on without end is a bug. A section must not contain a choice: mz_choose(), or a branch on an input. */
void mz_atomic_begin(void);
void mz_atomic_end(void);

/* Makes a visible operation that touches an object of the program's own choosing. */
void mz_access(const void *object, mz_access_kind kind);

/* Requires holds(arg) to return true in every state from here on: where it does not, that is a bug. It is evaluated as
 * one step, as if all threads stood still meanwhile; it may read whatever the program may, but not write, lock,
 * allocate or wait. What it reads must depend on nothing but values that it has read. */
void mz_invariant(int (*holds)(void *), void *arg);

/* Returns whether an exploration or a replay is under way. */
int mz_exploring(void);

#ifdef __cplusplus
}
#endif
#endif
