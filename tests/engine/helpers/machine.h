/* SPDX-License-Identifier: MIT
 *
 * A machine that runs a script, one visible operation at a time.
 *
 * A thread that comes back to an instruction in the same state, having only read in between, spins: it waits until
 * another has written to what it read since. (The register does not belong to that state: instructions that count
 * overwrite it.) To that end each thread has a list of what it has read since it last did something else.
 */
#ifndef MZ_TESTS_MACHINE_H
#define MZ_TESTS_MACHINE_H

#include "script.h"
#include "session/executor.h"

enum machine_status {
	MACHINE_UNBORN,
	MACHINE_READY,
	MACHINE_WAITING,
	MACHINE_LEAVING,
	MACHINE_WOKEN,
	MACHINE_ARRIVED,
	MACHINE_JOINING,
	MACHINE_DONE
};

#define MACHINE_READS 10    /* a longer loop is not recognised */
#define MACHINE_ACCESSES 10 /* of one operation at most */

struct machine_read {
	uint32_t pc, turns;
	uint32_t event; /* of its thread, counted with the list */
	bool returns;   /* to come here again is to be in the same state */
	bool outdated;  /* another has written it since */
	struct mz_access access;
};

struct machine_thread {
	uint32_t pc;
	uint32_t turns;  /* of the loop it is in */
	uint8_t status;  /* enum machine_status */
	uint32_t target; /* condition it waits on, mutex it is to take again, or thread it joins */
	uint64_t value;  /* register */
	uint64_t woken;  /* MACHINE_LEAVING: by which wake-up of its condition; 0: it is still waiting */
	uint32_t events; /* since it last did something else than reading */
	uint32_t nreads;
	struct machine_read reads[MACHINE_READS];
};

struct machine_edge {
	uint32_t before, after;
};

#define MACHINE_PLAIN 16 /* of one step at most */

struct machine {
	const struct script *script;
	struct machine_thread *threads;
	uint64_t *words;
	uint32_t inputs;            /* those that have taken all branches so far as this execution has: one bit each */
	uint64_t *held;             /* mutexes, then locks, semaphores and barriers: their states */
	uint32_t *waiting;          /* per condition: nthreads places, in order of arrival */
	uint32_t *nwaiting;         /* per condition */
	uint32_t *nwakes;           /* per condition: signals and broadcasts with somebody to wake */
	struct machine_edge *edges; /* since the last event */
	size_t nedges, edges_capacity;
	struct mz_access plain[MACHINE_PLAIN]; /* since the last event: what was no event */
	size_t nplain;
	bool failed; /* an assertion: the machine is of no use */
	uint32_t failed_thread, failed_pc;
	struct mz_access *accesses; /* MACHINE_ACCESSES per thread, for the view */
	struct mz_pending *pending;
	struct mz_view view;
};

/* Ready for the first step. */
void machine_init(struct machine *machine, const struct script *script);
void machine_copy(struct machine *to, const struct machine *from);
void machine_restart(struct machine *machine);
void machine_release(struct machine *machine);

/* Executes a step. The event's accesses are those in `accesses` (room for MACHINE_ACCESSES). Edges are left in
 * machine->edges. */
struct mz_event machine_step(struct machine *machine, struct mz_step step, struct mz_access *accesses);
/* Computes what is pending for all threads, in machine->view. */
void machine_look(struct machine *machine);
bool machine_any_enabled(const struct machine *machine); /* after machine_look */
bool machine_all_done(const struct machine *machine);
/* Whether what is watched is as it has to be, and how many accesses it took to see that. */
bool machine_holds(const struct machine *machine, struct mz_access reads[2], size_t *nreads);
/* Whether some inputs take that alternative of the operation that a thread has pending. After machine_look(). */
bool machine_is_possible(const struct machine *machine, uint32_t thread, uint32_t choice);
/* The name of what a thread writes when it ends, and those who join it read. */
uint64_t machine_end_name(uint32_t thread);
/* Whether the thread has come back to where it was without anything having changed: it spins. */
bool machine_spins(const struct machine *machine, uint32_t thread);

#endif
