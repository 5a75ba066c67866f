/* SPDX-License-Identifier: MIT
 *
 * The states of a program that are known, and those still to be looked at (engine/stateful/frontier.h), in memory that
 * several processes share. Whatever happens to one of these processes, nothing that is known is lost: another one looks
 * again at the state that it was looking at.
 */
#ifndef MZ_EXPLORER_STATES_H
#define MZ_EXPLORER_STATES_H

#include "engine/stateful/frontier.h"
#include "session/session.h"

#define MZ_STATES_WORKERS 64

struct mz_states; /* at the start of the memory */

/* This process's view of the shared memory. */
struct mz_states_memory {
	struct mz_states *states;
	size_t size;
	int fd;
	uint64_t most, area; /* copies of what the head of the memory says, out of the program's reach */
	int lock_kind;
};

/* Makes a memory with room for states that take up to `most` bytes together; with `exact`, states are kept whole and
 * compared byte by byte. Returns 0, or -1 with errno set. */
int mz_states_open(struct mz_states_memory *memory, size_t most, bool exact);
/* Maps the same memory in another process that has inherited the descriptor. Returns 0 or -1. */
int mz_states_attach(struct mz_states_memory *memory, int fd);
void mz_states_close(struct mz_states_memory *memory);

/* What a worker needs to use the shared states. */
struct mz_states_user {
	struct mz_states *states;
	uint32_t worker;              /* below MZ_STATES_WORKERS */
	const _Atomic uint32_t *stop; /* the worker has to stop when this is not 0; may be NULL */
	/* set to MZ_SESSION_THINKING while the worker waits for work, else to 0; may be NULL */
	_Atomic uint32_t *idle;
	void (*finished)(void *self); /* called whenever a state is done; may be NULL */
	void *finisher;
};

/* Returns a frontier that reads and writes the shared states for `user`, which must not move. */
struct mz_frontier mz_states_frontier(struct mz_states_user *user);

/* Returns the number of a thread, which is the same in all processes; MZ_NO_THREAD if there are too many. */
uint32_t mz_states_number(struct mz_states *states, struct mz_session_thread who);
/* Returns which thread has a number that mz_states_number() gave, here or in another process. */
struct mz_session_thread mz_states_thread(struct mz_states *states, uint32_t number);

struct mz_states_counts {
	uint32_t states;
	uint32_t left;  /* states that are still to be looked at, or are being looked at */
	uint32_t aside; /* states that were given up: see mz_states_lose_worker() */
	uint64_t bytes; /* memory that is used */
};
struct mz_states_counts mz_states_counts(struct mz_states *states);

/* ---- for the supervisor ----
 *
 * The program can overwrite this memory. So these functions check what they read, and do not wait for ever for a lock
 * that nobody gives back. */

/* To be called when a worker is gone: another worker will look again at the state that it was looking at, unless `most`
 * workers were lost there before. `*state` is that state, or MZ_NO_STATE. Returns false if the memory makes no sense.
 */
bool mz_states_lose_worker(struct mz_states_memory *memory, uint32_t worker, uint8_t most, uint32_t *state);

/* Fills in which thread each number is. Returns how many there are; 0 if the memory makes no sense. */
uint32_t mz_states_threads(struct mz_states_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS]);

/* Fills in the steps that lead to a state and returns how many there are; more than `room` if that is not known. */
uint32_t mz_states_path(struct mz_states_memory *memory, uint32_t state, struct mz_step *steps, uint32_t room);

/* Counts the states. Returns false if the memory makes no sense. */
bool mz_states_count_checked(struct mz_states_memory *memory, struct mz_states_counts *counts);

#endif
