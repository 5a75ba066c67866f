/* SPDX-License-Identifier: MIT
 *
 * The states of a program that are known, and those still to be looked at (engine/frontier.h), in memory that several
 * processes share. Whatever happens to one of them, nothing that is known is lost: what it was looking at is looked at
 * again by another.
 */
#ifndef MZ_EXPLORER_STATES_H
#define MZ_EXPLORER_STATES_H

#include "engine/frontier.h"
#include "session/session.h"

#define MZ_STATES_WORKERS 64

struct mz_states; /* at the start of the memory */

/* This process's view of it. */
struct mz_states_memory {
	struct mz_states *states;
	size_t size;
	int fd;
	uint64_t most, area; /* what the head of the memory says of itself, out of the program's reach */
	int lock_kind;
};

/* Room for states that take up to `most` bytes together. 0, or -1 with errno set. */
int mz_states_open(struct mz_states_memory *memory, size_t most, bool exact);
/* The same memory, in another process that has the descriptor. 0 or -1. */
int mz_states_attach(struct mz_states_memory *memory, int fd);
void mz_states_close(struct mz_states_memory *memory);

/* One worker's access. */
struct mz_states_user {
	struct mz_states *states;
	uint32_t worker;              /* below MZ_STATES_WORKERS */
	const _Atomic uint32_t *stop; /* not 0: it is time to stop; may be NULL */
	_Atomic uint32_t *idle;       /* MZ_SESSION_THINKING while it waits for work, else 0; may be NULL */
	void (*finished)(void *self); /* called whenever a state is done; may be NULL */
	void *finisher;
};

/* A frontier on it. `user` stays where it is. */
struct mz_frontier mz_states_frontier(struct mz_states_user *user);

/* The number of a thread, the parent's n-th child: the same in all processes. MZ_NO_THREAD if there are too many. */
uint32_t mz_states_number(struct mz_states *states, struct mz_session_thread who);

struct mz_states_counts {
	uint32_t states;
	uint32_t left;  /* to be looked at, or being looked at */
	uint32_t aside; /* given up: see mz_states_lost() */
	uint64_t bytes; /* memory that is used */
};
struct mz_states_counts mz_states_counts(struct mz_states *states);

/* ---- for the supervisor ----
 *
 * The program can overwrite this memory. What is read of it is checked first; a lock that nobody gives back is not
 * waited for without end. */

/* A worker is gone: what it was looking at is to be looked at again, by another; but nobody will if `most` were lost
 * there before. `*state` is the one it was looking at, or MZ_NO_STATE. False: the memory makes no sense. */
bool mz_states_lost(struct mz_states_memory *memory, uint32_t worker, uint8_t most, uint32_t *state);

/* Who all threads are, in their order. Returns how many there are. */
uint32_t mz_states_threads(struct mz_states_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS]);

/* Fills in the steps that lead to a state and returns how many there are; more than `room` if that is not known. */
uint32_t mz_states_path(struct mz_states_memory *memory, uint32_t state, struct mz_step *steps, uint32_t room);

/* Counts what is there. False: the memory makes no sense. */
bool mz_states_look(struct mz_states_memory *memory, struct mz_states_counts *counts);

#endif
