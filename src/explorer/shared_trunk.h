/* SPDX-License-Identifier: MIT
 *
 * A trunk (engine/backtracking/trunk.h) in memory that several processes share, at the same address in all of them.
 * Whatever happens to one of these processes, nothing that counts is lost: another one explores its leaf again, and what
 * it had explored of that does not count.
 */
#ifndef MZ_EXPLORER_SHARED_TRUNK_H
#define MZ_EXPLORER_SHARED_TRUNK_H

#include "engine/backtracking/trunk.h"
#include "explorer/replica.h"
#include "session/session.h"

#define MZ_TRUNK_WORKERS MZ_REPLICA_SEATS

struct mz_shared_trunk; /* at the start of the memory */

/* This process's view of the shared memory. */
struct mz_trunk_memory {
	struct mz_shared_trunk *shared;
	struct mz_trunk_link *link;
	size_t size; /* of both */
	int fd;
	bool raises; /* the bound is raised: not everything is explored when a bound is */
};

/* Makes a trunk that may take up to `most` bytes, in a memory of `size` with all that belongs to it, if that is not 0: then workers
 * that join may raise the limit. Returns 0, or -1 with errno set. */
int mz_trunk_memory_open(struct mz_trunk_memory *memory, size_t most, size_t size);
/* Returns that size. */
size_t mz_trunk_size(const struct mz_trunk_memory *memory);
/* Maps the same memory at an address, in another process that has inherited the descriptor. Returns 0 or -1. */
int mz_trunk_memory_attach(struct mz_trunk_memory *memory, int fd, uintptr_t address);
void mz_trunk_memory_close(struct mz_trunk_memory *memory);

/* Returns the number of a thread, which is the same in all processes; MZ_NO_THREAD if there are too many. */
uint32_t mz_trunk_number(struct mz_shared_trunk *shared, struct mz_session_thread who);

/* For what else processes keep in the memory of the trunk (shared_notes.h): the lock of the trunk; memory, which is taken
 * while the lock is held, NULL if there is none; and that memory has changed. */
void mz_trunk_enter(struct mz_shared_trunk *shared);
void mz_trunk_exit(struct mz_shared_trunk *shared);
void *mz_trunk_take_memory(struct mz_shared_trunk *shared, size_t size);
void mz_trunk_touch(struct mz_shared_trunk *shared, const void *at, size_t size);

/* The notes: pages, from the first one on. */
struct mz_trunk_notes {
	struct mz_notes_page *first, *last;
	uint64_t count; /* how many notes there are, on all pages */
};
struct mz_trunk_notes *mz_trunk_notes(struct mz_shared_trunk *shared);

/* Returns whether other machines have copies of the trunk. */
bool mz_trunk_is_linked(struct mz_shared_trunk *shared);

/* Where workers are that raise the bound together (--iterate): in a bound; or after one, and they look whether a search
 * without bounds has few executions. All zero: in the first bound. */
struct mz_trunk_phase {
	uint32_t bound;
	uint32_t looks;
	uint32_t over;      /* what is explored is all that was asked for */
	uint32_t exhausted; /* and nothing more is left without bounds */
	uint32_t replaced;  /* `counts` are those of the search without bounds */
	uint32_t iterations;
	uint64_t executed;             /* executions of what came before */
	struct mz_trunk_counts counts; /* of the last bound that was explored, or of all: see `over` */
};

/* A worker of this process. */
struct mz_trunk_user {
	struct mz_trunk_worker worker;
	struct mz_shared_trunk *shared;
	struct mz_trunk_link *link;
	struct mz_arena_source source;
	char *free, *free_end; /* if the trunk is linked: memory of the trunk for this worker alone */
	struct mz_key *graphs; /* that were executed, and are not among those of all workers yet */
	size_t ngraphs, graphs_capacity;
	struct mz_key *closed; /* the same of graphs that this worker has closed */
	size_t nclosed, closed_capacity;
	uint64_t told;                 /* when others were told of these last, if they are on other machines */
	bool full;                     /* there was no memory for one */
	bool inside;                   /* this worker has the lock */
	uint32_t generation;           /* how often the workers had begun anew when this one did so last */
	struct mz_trunk_phase phase;   /* in which they were then */
	struct mz_session *session;    /* told to stop by this, and told to be idle */
	struct mz_trunk_counts before; /* of those that this worker replaces */
	/* what this worker has explored, with `before` */
	struct mz_trunk_counts (*count)(void *counter);
	void *counter;
};

/* Makes `user`, which must not move, a worker of the trunk; `count` and `counter` are the caller's. */
void mz_trunk_join(struct mz_trunk_user *user, struct mz_shared_trunk *shared, struct mz_session *session);

/* Has the worker count graphs together with the others. */
void mz_trunk_count_together(struct mz_trunk_user *user);
/* Tells the others of all graphs that this worker has executed or closed. Only a worker that stops in the middle has any left: what
 * it explores counts only when they are told. */
void mz_trunk_tell_graphs(struct mz_trunk_user *user);

/* Begins anew, because this worker has learned something of the program or another one has begun anew: the trunk becomes
 * empty and nothing counts any more, for all workers, unless another one has seen to that since this one began. All that
 * workers have learned is in this one's session then. */
void mz_trunk_begin_anew(struct mz_trunk_user *user);

/* Finds out whether workers begin anew: `outdated` of the worker says so afterwards. */
void mz_trunk_look(struct mz_trunk_user *user);

/* Goes on to the next phase, unless another worker has done so or all begin anew: `decide` is given the phase, what was
 * explored in it, and whether bounds refused something, and changes the phase. The trunk becomes empty, and workers begin
 * anew. Afterwards `phase` of the user says where the workers are. */
struct mz_trunk_explored {
	struct mz_trunk_counts counts;
	uint64_t graphs; /* that were counted together */
	bool refused;
	struct mz_session_iteration *iteration; /* to be filled in for each bound */
};
void mz_trunk_advance(struct mz_trunk_user *user,
                      void (*decide)(void *self, struct mz_trunk_phase *phase, struct mz_trunk_explored *explored),
                      void *self);

/* Says how many executions the worker has made, and returns how many all have together. */
uint64_t mz_trunk_executions(struct mz_trunk_user *user, uint64_t executions);

/* Says that the worker has met a bug; returns whether any worker has. Bugs are known by keys, which equal ones share. */
void mz_trunk_tell_bug(struct mz_trunk_user *user, uint64_t key);
bool mz_trunk_knows_bug(struct mz_trunk_user *user, uint64_t key);

/* For tests: waits until all workers of this machine have begun, and lets others take their turn. */
void mz_trunk_gather(struct mz_trunk_user *user);

/* Returns, without the lock, whether there may be something new in the trunk for a worker that found nothing to take. */
bool mz_trunk_has_news(const struct mz_trunk_user *user);

/* Returns whether everything is explored. */
bool mz_trunk_is_explored(const struct mz_trunk_user *user);

/* ---- for the supervisor: the program can overwrite this memory, so none of its pointers is followed ---- */

/* Says that the worker at a seat is gone: another one takes what it was exploring. */
void mz_trunk_lose_worker(struct mz_trunk_memory *memory, uint32_t seat);

/* Returns what counts of what a worker has explored that is gone. */
struct mz_trunk_counts mz_trunk_settled(struct mz_trunk_memory *memory, uint32_t seat);

/* Returns how often workers have had the lock of the trunk. */
uint64_t mz_trunk_operations(const struct mz_trunk_memory *memory);

/* Returns how many graphs workers have counted together. */
uint64_t mz_trunk_graphs(struct mz_trunk_memory *memory);

/* Returns in which phase the workers are, and fills in what is known of the bounds that are done. */
struct mz_trunk_phase mz_trunk_phase(struct mz_trunk_memory *memory,
                                     struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS]);

/* Copies all that has to be known of the trunk to go on with it later; nobody changes it meanwhile. Returns the copy, which
 * is freed by mz_free(), or NULL if there is no memory or the trunk was in use all the time. */
void *mz_trunk_memory_copy(struct mz_trunk_memory *memory, size_t *size);
/* Makes the trunk, which was opened for `size` bytes more, what a copy says it was. Its workers are gone. Returns false if
 * that makes no sense. */
bool mz_trunk_memory_restore(struct mz_trunk_memory *memory, const void *copy, size_t size);

/* ---- for machines that keep copies of one trunk: see src/cluster/member.h ---- */

struct mz_replica mz_trunk_replica(struct mz_trunk_memory *memory);
/* Returns the size of the head of the memory, which changes without being touched. */
size_t mz_trunk_head_size(void);
/* Returns whether everything is explored. */
bool mz_trunk_is_whole(const struct mz_trunk_memory *memory);

/* Fills in which thread each number is. Returns how many there are. */
uint32_t mz_trunk_threads(struct mz_trunk_memory *memory, struct mz_session_thread threads[MZ_SESSION_THREADS]);

#endif
