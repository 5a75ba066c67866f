/* SPDX-License-Identifier: MIT
 *
 * Programs as data, a machine that runs them one visible operation at a time, and an executor around it: what the
 * engine is tested against. No threads, no native code.
 *
 * A thread is a list of instructions and one register, which holds what its last operation returned (a value, or
 * whether it succeeded). Everything else is in memory words, mutexes and conditions. Operations that are no events
 * (start, join, branches, loops) are executed as soon as the thread gets there.
 *
 * A thread that comes back to an instruction in the same state, having only read in between, spins: it waits until
 * another has written to what it read since. (The register does not belong to that state: instructions that count
 * overwrite it.) To that end each thread has a list of what it has read since it last did something else.
 */
#ifndef MZ_TESTS_SCRIPT_H
#define MZ_TESTS_SCRIPT_H

#include "explorer/executor.h"
#include <stddef.h>
#include <stdio.h>

enum script_kind {
	SCRIPT_LOAD,
	SCRIPT_STORE,
	SCRIPT_ADD,      /* modulo `expected`, unless that is 0 */
	SCRIPT_CAS,      /* stores `value` if `expected` is there; register: whether it did */
	SCRIPT_EXCHANGE, /* stores `value`; register: what was there, as for the next two */
	SCRIPT_OR,
	SCRIPT_AND,
	SCRIPT_ACCESS,
	SCRIPT_LOCK,
	SCRIPT_UNLOCK,
	SCRIPT_TRYLOCK,    /* register: whether it got it */
	SCRIPT_LOCK_ALONE, /* lock `object`, which can be shared; `value`: it was announced */
	SCRIPT_UNLOCK_ALONE,
	SCRIPT_TRYLOCK_ALONE,
	SCRIPT_ANNOUNCE,
	SCRIPT_LOCK_SHARED,
	SCRIPT_UNLOCK_SHARED,
	SCRIPT_TRYLOCK_SHARED,
	SCRIPT_TAKE, /* semaphore `object`, while it is more than `expected` */
	SCRIPT_TRYTAKE,
	SCRIPT_POST,
	SCRIPT_SEND, /* the same, ordered */
	SCRIPT_PASS, /* takes from `object`, while it is more than `expected`, and gives to `other` */
	SCRIPT_TRYPASS,
	SCRIPT_POLL,   /* waits until `object` is more than `expected`, or `other`, another one, more than 0; register:
	                * which
	                */
	SCRIPT_ARRIVE, /* at barrier `object`, and wait for the others */
	SCRIPT_WAIT,   /* on condition `object`, with mutex `other` */
	SCRIPT_TIMED_WAIT, /* likewise; register: whether it was woken */
	SCRIPT_SIGNAL,
	SCRIPT_BROADCAST,
	SCRIPT_CHOOSE, /* register: 0 .. value-1 */
	SCRIPT_YIELD,
	SCRIPT_START,  /* thread `object` */
	SCRIPT_JOIN,   /* thread `object` */
	SCRIPT_UNLESS, /* skip `other` instructions unless the register is `value` */
	SCRIPT_REPEAT, /* go back `other` instructions, `value` times in all */
	SCRIPT_UNTIL,  /* go back `other` instructions unless the register is `value` */
	SCRIPT_JUMP,   /* go back `other` instructions */
	SCRIPT_ASSERT, /* fails if the register is `value` */
	SCRIPT_PEEK,   /* what LOAD and STORE are where plain accesses are not visible */
	SCRIPT_POKE,
};

struct script_instruction {
	uint8_t kind;
	uint8_t mask;   /* bytes of the word; contiguous */
	uint8_t access; /* enum mz_access_kind, of SCRIPT_ACCESS */
	bool plain;     /* LOAD, STORE: not atomic */
	uint32_t object;
	uint32_t other;
	uint64_t value; /* counted from the lowest byte of the mask */
	uint64_t expected;
};

struct script_thread {
	struct script_instruction *code;
	size_t length, capacity;
	bool started; /* lives from the beginning */
};

struct script {
	struct script_thread *threads;
	uint32_t nthreads;
	uint32_t nwords, nmutexes, nconditions;
	uint32_t nlocks, nsemaphores, nbarriers; /* locks that can be shared; all start with 0 */
	uint32_t value;                          /* that semaphores start with */
	uint32_t parties;                        /* of a barrier */
	bool unrolled;                           /* threads that spin do not wait */
	/* What has to hold, if `watched`: not at the same time this value in one word, and that in another. */
	bool watched;
	uint32_t watched_words[2];
	uint64_t watched_values[2];
};

void script_init(struct script *script, uint32_t nthreads, uint32_t nwords, uint32_t nmutexes, uint32_t nconditions);
void script_release(struct script *script);
/* Adds objects of other kinds, before anything is run. */
void script_share(struct script *script, uint32_t nlocks, uint32_t nsemaphores, uint32_t value, uint32_t nbarriers,
                  uint32_t parties);
/* Appends to a thread; returns where. */
size_t script_add(struct script *script, uint32_t thread, struct script_instruction instruction);
void script_print(const struct script *script, FILE *out);

/* --- the machine --- */

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
/* The name of what a thread writes when it ends, and those who join it read. */
uint64_t machine_end_name(uint32_t thread);
/* Whether the thread has come back to where it was without anything having changed: it spins. */
bool machine_spins(const struct machine *machine, uint32_t thread);

/* --- the executor --- */

struct script_executor {
	struct machine machine;
	uint32_t max_steps;
	bool first_done; /* the edges from before the first step are reported in the first run only */
	uint32_t nsteps; /* of the last execution */
	bool secretive;  /* like a host: what enabled threads are about to touch is not told */
	uint64_t whim;   /* if not 0: who "went last" is made up, so that free choices are made in a random order */
	/* if not NULL: told about everything, known steps included */
	void *watcher;
	void (*begin)(void *watcher);
	void (*event)(void *watcher, const struct mz_event *event);
	void (*edge)(void *watcher, struct machine_edge edge);
};

void script_executor_init(struct script_executor *executor, const struct script *script, uint32_t max_steps);
void script_executor_release(struct script_executor *executor);
/* mz_executor.run; `self` is a script_executor. */
enum mz_end script_executor_run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                                struct mz_view *view);

#endif
