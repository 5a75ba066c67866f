/* SPDX-License-Identifier: MIT
 *
 * The states of a program that are known, and those still to be looked at (engine/stateful/frontier.h), in memory that
 * several processes share. Whatever happens to one of these processes, nothing that is known is lost: another one looks
 * again at the states that it had taken.
 *
 * Workers exchange states in batches: what a worker has added and finished is settled, and states that are open are taken,
 * in one operation under one lock. In between workers look up states in the memory without the lock. Machines that work on
 * the same run have copies of the memory (trunk_link.h, src/cluster/member.h): an operation then is one in the store.
 */
#ifndef MZ_EXPLORER_STATES_H
#define MZ_EXPLORER_STATES_H

#include "base/table.h"
#include "engine/stateful/cartesian.h"
#include "engine/stateful/frontier.h"
#include "explorer/replica.h"
#include "session/session.h"

#ifndef MZ_SMALL_TABLES
#define MZ_STATES_WORKERS 64 /* of one machine */
#else
#define MZ_STATES_WORKERS 2
#endif
#define MZ_STATES_SEATS MZ_REPLICA_SEATS /* of all machines */

struct mz_states; /* at the start of the memory */

/* This process's view of the shared memory. */
struct mz_states_memory {
	struct mz_states *states;
	struct mz_trunk_link *link;
	size_t size;
	int fd;
	uint64_t most, book_size; /* copies of what the head of the memory says, out of the program's reach */
	int lock_kind;
};

/* Makes a memory with room for states that take up to `most` bytes together, or one of which `size` bytes are common to all
 * machines, if that is not 0; with `exact`, states are kept whole and compared byte by byte. Returns 0, or -1 with errno
 * set. */
int mz_states_open(struct mz_states_memory *memory, size_t most, size_t size, bool exact);
/* Returns that size for so many bytes of states. */
size_t mz_states_size(size_t most);
/* Maps the same memory in another process that has inherited the descriptor. Returns 0 or -1. */
int mz_states_attach(struct mz_states_memory *memory, int fd);
void mz_states_close(struct mz_states_memory *memory);
/* Returns whether the constants in the head are unchanged. */
bool mz_states_is_intact(const struct mz_states_memory *memory);

/* ---- workers ---- */

struct mz_states_addition;
struct mz_states_finished;

/* What a worker needs to use the shared states. */
struct mz_states_user {
	struct mz_states *states;
	uint32_t worker;              /* below MZ_STATES_WORKERS, */
	uint32_t seat;                /* and below MZ_STATES_SEATS */
	const _Atomic uint32_t *stop; /* the worker has to stop when this is not 0; may be NULL */
	struct mz_session *session;   /* which is told while the worker waits for work; may be NULL */
	/* Returns what the worker has counted, with what those had that it replaces (mz_states_settled()); may be NULL. */
	struct mz_cartesian_counts (*count)(void *counter);
	void *counter;
	bool outdated;   /* other workers have begun anew, and this one has to */
	bool is_foreign; /* its first state is not that of the others */

	/* ---- its own ---- */
	struct mz_frontier_client client;
	uint32_t generation;
	struct mz_states_addition *additions; /* that are not settled */
	size_t nadditions, additions_capacity;
	uint8_t *bytes; /* of these states, if they are compared byte by byte */
	size_t nbytes, bytes_capacity;
	struct mz_table pending;             /* these states, by their keys */
	struct mz_states_finished *finished; /* states that are not settled */
	size_t nfinished, finished_capacity;
	uint32_t *taken; /* states to be looked at, from `next` on */
	size_t next, ntaken, taken_capacity;
	uint32_t pace;      /* how many states are looked at from one operation to the next */
	uint64_t exchanged; /* when the last operation was, in nanoseconds */
};

/* Returns a frontier that reads and writes the shared states for `user`, which must not move. */
struct mz_frontier mz_states_frontier(struct mz_states_user *user);
void mz_states_user_release(struct mz_states_user *user);

/* Makes `user` a worker. Returns what those have counted that had its seat before. */
struct mz_cartesian_counts mz_states_join(struct mz_states_user *user);

/* Returns the number of a thread, which is the same in all processes; MZ_NO_THREAD if there are too many. */
uint32_t mz_states_number(struct mz_states *states, struct mz_session_thread who);
/* Returns which thread has a number that mz_states_number() gave, here or in another process. */
struct mz_session_thread mz_states_thread(struct mz_states *states, uint32_t number);

struct mz_states_counts {
	uint32_t states;
	uint32_t left;  /* states that are still to be looked at, or are being looked at */
	uint32_t aside; /* states that were given up: see mz_states_lose_worker() */
	uint64_t bytes; /* memory that is used */
	uint64_t operations;
};
struct mz_states_counts mz_states_counts(struct mz_states *states);

/* Returns what was counted of all states that are done, by all workers. */
struct mz_cartesian_counts mz_states_total(const struct mz_states *states);

/* ---- for the supervisor ----
 *
 * The program can overwrite this memory. So these functions check what they read, and do not wait for ever for a lock
 * that nobody gives back. */

/* To be called when a worker is gone: another worker will look again at the states that it had taken, unless `most`
 * workers were lost before at the one that it was looking at, which is `*state`, or else MZ_NO_STATE. Returns false if the
 * memory makes no sense. */
bool mz_states_lose_worker(struct mz_states_memory *memory, uint32_t worker, uint8_t most, uint32_t *state);
/* The same in a memory that is linked: some worker opens what the one at that seat had taken. */
void mz_states_lose_seat(struct mz_states_memory *memory, uint32_t worker, uint32_t seat);

/* Returns what a worker has counted of states that are done. */
struct mz_cartesian_counts mz_states_settled(const struct mz_states_memory *memory, uint32_t seat);

/* Fills in which thread each number is. Returns how many there are; 0 if the memory makes no sense. */
uint32_t mz_states_threads(struct mz_states_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS]);

/* Fills in the steps that lead to a state and returns how many there are; more than `room` if that is not known. */
uint32_t mz_states_path(struct mz_states_memory *memory, uint32_t state, struct mz_step *steps, uint32_t room);

/* Counts the states. Returns false if the memory makes no sense. */
bool mz_states_count_checked(struct mz_states_memory *memory, struct mz_states_counts *counts);

/* Copies all that has to be known to go on later. Returns the copy, which is freed by mz_free(), or NULL if there is no memory
 * or the states make no sense. */
void *mz_states_copy(struct mz_states_memory *memory, size_t *size);
/* Makes the memory what a copy says it was; its workers are gone. Returns false if that makes no sense. */
bool mz_states_restore(struct mz_states_memory *memory, void *copy, size_t size);

/* Begins with what workers have learned of the program so far: if some of that is new, no state that is known is of use. All
 * that was ever learned is in `learned` then. To be called while no worker runs here. Returns false if the memory makes no
 * sense. */
bool mz_states_begin(struct mz_states_memory *memory, struct mz_session_learned *learned);

/* Returns how often workers have begun anew. */
uint32_t mz_states_generation(const struct mz_states_memory *memory);
/* Returns whether any state is known. */
bool mz_states_any(const struct mz_states_memory *memory);

/* ---- for machines that keep copies: see src/cluster/member.h ---- */

struct mz_replica mz_states_replica(struct mz_states_memory *memory);

#endif
