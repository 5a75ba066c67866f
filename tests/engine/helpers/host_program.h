/* SPDX-License-Identifier: MIT
 *
 * Random programs for hosts of the engine (include/mazurka/engine.h), the machine that runs them, and brute force over
 * all their interleavings. Nothing here knows the engine.
 *
 * A program is a list of operations for each thread: accesses of all kinds, locks (announced, tried, given back by
 * others), spawn and join, flags and semaphores. An operation that is `glued` belongs to the same step as the one before
 * it. The happens-before graph of an execution is made of program order, conflicts, spawn and join.
 */
#ifndef HOST_PROGRAM_H
#define HOST_PROGRAM_H

#include <mazurka.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	HOST_THREADS = 4,
	HOST_OPS = 14,
	HOST_OBJECTS = 3,
	HOST_LOCKS = 2,
	HOST_FLAGS = 2,
	HOST_SEMAPHORES = 2,
	HOST_STEPS = 40,
	HOST_ACCESSES = 8,
	HOST_INTERLEAVINGS = 3000,
	HOST_BOUNDS = 3
};

enum host_op_kind {
	READ,
	WRITE,
	WEAK_READ,
	WEAK_WRITE,
	BOTH,
	ACQUIRE,
	RELEASE,
	TRY, /* gets the lock if it is free; UNTRY gives it back in that case, and does nothing in the other */
	UNTRY,
	RELEASE_ANY, /* gives back the lock, whoever has it, if somebody has */
	SPAWN,
	JOIN,
	SET,
	CLEAR,
	AWAIT,
	POST,
	TAKE,
	TRY_TAKE,
	POLL, /* reads, and yields */
	NOTHING
};

struct host_op {
	enum host_op_kind kind;
	unsigned what;
	bool glued;
};

struct host_program {
	struct host_op ops[HOST_THREADS][HOST_OPS];
	unsigned length[HOST_THREADS];
	unsigned threads, first; /* there are, and there are from the start */
	bool tries;              /* locks are tried in the thread's own step */
	bool waits;              /* for flags or semaphores */
	bool weak;               /* setting and posting commute */
	bool tells;              /* the host says for what threads wait */
	bool glues;              /* steps may consist of several operations */
	unsigned semaphores[HOST_SEMAPHORES];
	bool flags[HOST_FLAGS]; /* set from the start */
};

/* Sets where random numbers come from. */
void host_seed(uint64_t seed);
unsigned host_chance(unsigned n);

/* Makes a program. Kinds: plain, locks, tries, children, flags, mixed, told, glued, attempts, yields. */
struct host_program host_generate(const char *kind);
void host_print(const struct host_program *p);

struct host_access {
	uint64_t object;
	mz_access_kind kind;
};

struct host_event {
	unsigned thread, position;
	bool yields;
	struct host_access accesses[HOST_ACCESSES];
	unsigned naccesses;
	unsigned clock[HOST_THREADS]; /* what it knows of, itself included */
};

struct host_world {
	unsigned holder[HOST_LOCKS]; /* thread plus one */
	bool flags[HOST_FLAGS];
	unsigned semaphores[HOST_SEMAPHORES];
	bool got[HOST_THREADS][HOST_LOCKS]; /* by TRY */
};

struct host_machine {
	const struct host_program *p;
	unsigned at[HOST_THREADS], steps[HOST_THREADS];
	bool alive[HOST_THREADS], done[HOST_THREADS];
	unsigned parked[HOST_THREADS]; /* lock plus one that was tried in vain and not given back since */
	unsigned yielded[HOST_THREADS];
	struct host_world world;
	unsigned knows[HOST_THREADS][HOST_THREADS]; /* what a thread knows of */
	uint64_t hash;                              /* of the graph */
	unsigned nevents;
	struct host_event events[HOST_STEPS];
};

void host_machine_start(struct host_machine *m, const struct host_program *p);
bool host_can_go(const struct host_machine *m, unsigned t);
/* Makes the next step of a thread that can go, and returns what it was. */
const struct host_event *host_machine_step(struct host_machine *m, unsigned t);
/* Returns the first operation of a thread's next step, and the one after its last. */
const struct host_op *host_next(const struct host_machine *m, unsigned t);
const struct host_op *host_next_end(const struct host_machine *m, unsigned t);
/* Names of flags and semaphores among the objects. */
uint64_t host_flag_object(unsigned n);
uint64_t host_semaphore_object(unsigned n);

struct host_cost {
	unsigned preemptions, delays;
	unsigned unfair; /* by how many yields a thread that went was ahead of another that could have gone, at most */
};

struct host_graph {
	uint64_t hash;
	struct host_cost least;
	bool seen; /* by the run that is being judged */
};

struct host_truth {
	struct host_graph graphs[HOST_INTERLEAVINGS];
	unsigned ngraphs;
	unsigned interleavings;
	unsigned within[HOST_BOUNDS];      /* interleavings within so many preemptions */
	unsigned fair_within[HOST_BOUNDS]; /* and within that fair bound */
};

/* Runs all interleavings. Returns false if there are too many. */
bool host_brute_force(const struct host_program *p, struct host_truth *truth);
struct host_graph *host_find_graph(struct host_truth *truth, uint64_t hash);
unsigned host_count_within(const struct host_truth *truth, struct host_cost most);

#endif
