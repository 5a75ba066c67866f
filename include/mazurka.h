/* SPDX-License-Identifier: MIT
 *
 * What a program under test may say to Mazurka. Every function here also works when the program runs by itself,
 * outside an exploration: choices are then 0 and the rest does nothing.
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
	int bounded;      /* explore only what has at most `preemptions` preemptions */
	unsigned preemptions;
	int iterate; /* raise that bound from 0 on, until it leaves nothing out; to `preemptions` if bounded */
	int fair;    /* explore only where nobody who goes is more than `yields` yields ahead: --fair */
	unsigned yields;
	int delayed; /* explore only what departs from a fixed scheduler at most `delays` times */
	unsigned delays;
	unsigned max_depth;       /* explore only what has at most so many steps */
	unsigned long max_memory; /* bytes, for known states, remembered graphs or checkpoints */
	int heap_reuse;           /* --heap reuse */
	int leaks;
	int thread_leaks;
	const char *fail;
	unsigned max_faults;
} mz_options;

/* Explores test(arg): in processes forked from this one, so that nothing it does is left behind. Returns 0 if it has no
 * bug and all of it was explored, 1 if it has a bug (reported on standard error), 2 if it could not be explored, 3 if a
 * limit ended it before. Within an exploration it just calls test(arg). */
int mz_check(void (*test)(void *), void *arg, const mz_options *options);

/* A value from 0 to n-1; every one of them is explored. */
int mz_choose(int n);

/* "I make no progress until somebody else does something." sched_yield means the same. */
void mz_yield(void);

/* A visible operation on an object of the program's own choosing. */
void mz_access(const void *object, mz_access_kind kind);

/* From here on holds(arg) must return true in every state: where it does not, that is a bug. It is evaluated at once,
 * as if no thread could go on meanwhile; it may read whatever the program may, but not write, lock, allocate or wait.
 * What it reads should not depend on more than what it has read. */
void mz_invariant(int (*holds)(void *), void *arg);

/* Whether an exploration or a replay is under way. */
int mz_exploring(void);

#ifdef __cplusplus
}
#endif
#endif
