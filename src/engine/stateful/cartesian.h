/* SPDX-License-Identifier: MIT
 *
 * Stateful search by cartesian vectors: Gueta, Flanagan, Yahav, Sagiv, "Cartesian Partial-Order Reduction" (SPIN 2007).
 * From every state, each thread runs alone for as long as it does not get into anybody's way (vector.h); where it
 * stops, there is another state. Every state that a thread by itself can be in is met on the way, with what it asserts;
 * so is every deadlock, and every pair of conflicting accesses that can be next at the same time. Programs need not
 * end, as long as they have finitely many states.
 *
 * With minimal vectors, one step each, it is the plain search of all states.
 *
 * The program is one end (trace/stateful.h), what is known of states the other (frontier.h): several searches, in
 * processes of their own, may share a frontier.
 */
#ifndef MZ_ENGINE_STATEFUL_CARTESIAN_H
#define MZ_ENGINE_STATEFUL_CARTESIAN_H

#include "engine/stateful/frontier.h"
#include "trace/stateful.h"

struct mz_cartesian;

enum mz_cartesian_end {
	MZ_CARTESIAN_DONE,     /* the frontier has nothing left */
	MZ_CARTESIAN_FOUND,    /* something was found, and the search was not to go on */
	MZ_CARTESIAN_STOPPED,  /* stop() returned true */
	MZ_CARTESIAN_LOOKS,    /* there is nothing left, but the thread `looks` may wait in vain */
	MZ_CARTESIAN_FULL,     /* the frontier is full */
	MZ_CARTESIAN_NO_MEMORY /* there is no memory for the search itself, or not even one state can be kept */
};

struct mz_cartesian_options {
	const struct mz_stateful *program;
	const struct mz_frontier *frontier;
	bool minimal;       /* visit every state, instead of those that vectors lead to */
	bool as_published;  /* vectors with which the paper's figures come out: more states, see vector.h */
	bool literal;       /* with as_published: Figure 6 to the letter, which may miss local states */
	bool races;         /* report data races */
	bool endless;       /* threads that go round for ever and meet nobody are a finding, even if they write; and so
	                       are states that a program which can end cannot end from (endless.h) */
	bool keep_going;    /* go on after a finding */
	uint32_t max_steps; /* limit on the steps from the very start to any state that is looked at */
	size_t max_kept; /* states that are kept at a time to be gone back to; 0: as many as the program keeps. Others
	                    are reached by their path. At least a few for every thread are needed in any case */
	bool (*stop)(void *stopper); /* called now and then: returns whether to stop; may be NULL */
	void *stopper;
	/* Told of all prefixes of every vector, if not missing: from which state, whose, how many steps that lead
	 * somewhere, in how many ways the last, and whether it goes on like that for ever. */
	void (*prefix)(void *watcher, uint32_t state, uint32_t thread, uint32_t steps, uint32_t ways, bool infinite);
	void *watcher;
};

struct mz_cartesian_counts {
	uint64_t states;  /* states that were looked at */
	uint64_t steps;   /* of all prefixes of their vectors; that a thread waits is one, that it is over none */
	uint64_t ends;    /* states that lead nowhere else */
	uint64_t dropped; /* states in which the program has dropped the execution */
	uint64_t cut;     /* what max_steps left out: not 0, and the search is not complete */
	uint64_t found;   /* schedules handed to the program's witness(), */
	uint64_t unshown; /* and those of them that showed nothing: not 0, and the search is not complete; */
	uint64_t timed;   /* and those of these where a timer may have gone on */
	bool never_ends;  /* all states are known, and the program ends in none; one of all searches says so */
	uint32_t looks;   /* MZ_CARTESIAN_LOOKS: the thread that only looks */
};

/* Makes a search. Returns NULL when there is no memory. */
struct mz_cartesian *mz_cartesian_new(const struct mz_cartesian_options *options);
void mz_cartesian_free(struct mz_cartesian *search);

/* Adds the first state, and looks at states until there are none. May be called once. */
enum mz_cartesian_end mz_cartesian_run(struct mz_cartesian *search);
struct mz_cartesian_counts mz_cartesian_counts(const struct mz_cartesian *search);

/* Fills in the schedule that leads to a state: as many steps as the state's depth. */
void mz_cartesian_path(const struct mz_frontier *frontier, uint32_t state, struct mz_step *steps);

#endif
