/* SPDX-License-Identifier: MIT
 *
 * The memory behind explorer/states.h, for its own files. It has three parts, one behind the other:
 *
 *   - the *book*, which is all that has to be known: a record for each state, links, the bytes of states, what each worker has
 *     counted. It is what is kept for later (--resume), and what machines have copies of (--cluster). Its areas grow in chunks,
 *     which are taken one after the other, so that what is used of the book is its beginning;
 *   - the link, with the lock (trunk_link.h);
 *   - the *index*: hash tables over the book and queues of open states. It can be made again from the book, and is if a process
 *     dies while it has the lock. Each machine has its own.
 */
#ifndef MZ_EXPLORER_STATES_MEMORY_H
#define MZ_EXPLORER_STATES_MEMORY_H

#include "explorer/states.h"

#define MZ_STATES_BLOCK 256UL
#define MZ_STATES_CHUNKS 1024 /* how many chunks an area may have */

enum mz_state_status {
	MZ_STATE_OPEN,
	MZ_STATE_TAKEN,
	MZ_STATE_SETTLING, /* taken; done if the changes under way are complete: see struct mz_states_change */
	MZ_STATE_DONE,
	MZ_STATE_ASIDE
};

struct mz_state_record {
	struct mz_key key;
	struct mz_origin origin;
	uint64_t looks;  /* of its prospect */
	uint64_t blocks; /* index of the first of the numbers of its blocks, in the area NUMBERS */
	uint32_t depth;
	uint32_t seat; /* of the worker that added the state, or that looks at it */
	uint32_t size; /* number of the state's bytes; 0 if they are not kept */
	uint8_t status;
	uint8_t losses;
	bool ends, is_open; /* of its prospect */
};

enum mz_states_area { MZ_STATES_RECORDS, MZ_STATES_LINKS, MZ_STATES_BLOCKS, MZ_STATES_NUMBERS, MZ_STATES_AREAS };

/* How much there is. */
struct mz_states_extent {
	uint32_t states, blocks;
	uint64_t links;   /* to states that were already known */
	uint64_t numbers; /* of blocks */
};

/* Changes that are made all together, even if the process is killed: when they are all written down, `complete` is set. */
struct mz_states_change {
	uint32_t complete;
	uint32_t seat;
	struct mz_states_extent extent;
	struct mz_cartesian_counts counts;
};

struct mz_states_seat {
	struct mz_cartesian_counts settled;
	_Atomic uint32_t lost; /* its worker is gone, and what that had taken has not been opened yet */
	uint32_t joined;       /* a worker has had this seat, */
	uint32_t member;       /* of this machine, from 1; 0: there is only one machine, or that one is gone */
};

/* The head of the book. */
struct mz_states {
	uint64_t magic;
	uint64_t size;  /* of the book */
	uint64_t most;  /* limit on the bytes of states, links and tables together */
	uint64_t chunk; /* bytes */
	uint32_t exact;
	uint32_t generation; /* how often the workers have begun anew */
	struct mz_session_learned learned;
	uint64_t operations; /* how often a worker has had the lock */
	struct mz_states_extent extent;
	_Atomic uint32_t nopen, nactive; /* also read without the lock */
	uint32_t naside;
	struct mz_states_change change;
	uint32_t nchunks;
	uint32_t chunks[MZ_STATES_AREAS][MZ_STATES_CHUNKS]; /* 1 + which chunk of the book; 0: there is none yet */
	uint32_t nthreads;
	struct mz_session_thread threads[MZ_SESSION_THREADS];
	uint32_t nseats; /* that were ever used */
	struct mz_states_seat seats[MZ_STATES_SEATS];
};

struct mz_states_queue {
	uint32_t first, last; /* numbers of states; they mean nothing while `length` is 0 */
	uint32_t length;
};

/* A hash table. A slot holds 1 + the number it stands for, and above that the upper half of the hash. An empty slot is 0. That of
 * states is also read without the lock. */
struct mz_states_table {
	_Atomic uint32_t slots; /* a power of two */
	uint32_t used;
};

struct mz_states_index {
	uint32_t states, blocks; /* how many of the book are in the tables */
	uint32_t generation;     /* of the book */
	struct mz_states_table known, known_blocks;
	struct mz_states_queue queues[MZ_STATES_WORKERS];
	uint32_t current[MZ_STATES_WORKERS]; /* 1 + the state that a worker looks at */
	_Atomic uint8_t hungry[MZ_STATES_WORKERS];
	_Atomic uint32_t judge; /* 1 + the worker that judges the graph of all states in the end; 0: nobody yet */
};

static inline size_t mz_states_round(size_t size)
{
	return (size + 4095) & ~4095UL;
}

static inline struct mz_trunk_link *mz_states_link(struct mz_states *s)
{
	return (struct mz_trunk_link *)((char *)s + s->size);
}

static inline struct mz_states_index *mz_states_index(struct mz_states *s)
{
	return (struct mz_states_index *)((char *)s + s->size + mz_states_round(mz_link_size(s->size)));
}

/* Returns an element of an area, which has room for it. */
void *mz_states_element(struct mz_states *s, enum mz_states_area area, uint64_t n);
struct mz_state_record *mz_states_record(struct mz_states *s, uint32_t state);
/* Returns the same, to be changed. */
struct mz_state_record *mz_states_edit(struct mz_states *s, uint32_t state);

/* Copies an element of an area of another book. Returns false if the area cannot have so many. */
bool mz_states_take_over(struct mz_states *s, enum mz_states_area area, uint64_t n, struct mz_states *from);

/* ---- under the lock ---- */

/* Returns whether there is room for one more link, or a state of so many bytes, beyond the extent. */
bool mz_states_has_room(struct mz_states *s, const struct mz_states_extent *extent, bool link, size_t size);
uint64_t mz_states_used(struct mz_states *s, const struct mz_states_extent *extent);

/* Returns a state that is equal, among the first ones that the extent says; MZ_NO_STATE if there is none. */
uint32_t mz_states_find(struct mz_states *s, uint32_t nstates, struct mz_key key, const void *bytes, size_t size);
/* Appends a state, or a link, to those of an extent; there is room for it. */
uint32_t mz_states_append(struct mz_states *s, struct mz_states_extent *extent, const struct mz_state_record *record,
                          const void *bytes, size_t size);
void mz_states_append_link(struct mz_states *s, struct mz_states_extent *extent, struct mz_state_link link);
/* Makes the changes that were written down. */
void mz_states_make_change(struct mz_states *s);

void mz_states_enqueue(struct mz_states *s, uint32_t queue, uint32_t state);
/* Takes an open state out of a queue. Returns MZ_NO_STATE if there is none. */
uint32_t mz_states_dequeue(struct mz_states *s, uint32_t queue);
/* Fills the queues with all open states. */
void mz_states_fill_queues(struct mz_states *s);

/* Makes the index know what the book has. */
void mz_states_catch_up(struct mz_states *s);
/* Puts everything in order, after a process has died while it had the lock. */
void mz_states_mend(struct mz_states *s);

/* Opens what a worker had taken that is gone. If it has looked at the state `current`, and `most` workers were lost there
 * before, that is set aside. */
void mz_states_open_taken(struct mz_states *s, uint32_t seat, uint32_t queue, uint32_t current, uint8_t most);

/* Take the lock, and give it back; between that, nobody else changes the book. */
void mz_states_lock(struct mz_states *s);
void mz_states_unlock(struct mz_states *s);

#endif
