/* SPDX-License-Identifier: MIT
 *
 * What is in the memory that workers share (shared_trunk.h), for those who work on it: the workers' side, shared_trunk.c, and the
 * supervisor's, trunk_supervision.c.
 */
#ifndef MZ_EXPLORER_TRUNK_MEMORY_H
#define MZ_EXPLORER_TRUNK_MEMORY_H

#include "explorer/counts.h"
#include "explorer/shared_keys.h"
#include "explorer/shared_trunk.h"
#include <stdatomic.h>

#define MZ_TRUNK_MAGIC 0x6d7a7472756e6b73ULL

/* What is known of a worker. Each is on cache lines of its own. */
struct mz_trunk_seat {
	_Alignas(128) struct mz_trunk_counts settled;
	struct mz_trunk_counts next;  /* what is settled as soon as the leaf is, or as `sure` says so */
	const struct mz_wakeup *leaf; /* NULL: no leaf is being settled */
	const struct mz_wakeup *plan; /* what was below the leaf */
	uint32_t sure;                /* not 0: `next` is on its way to `settled` */
	_Atomic uint64_t executions;  /* that were made since the workers began anew for the `generation`-th time */
	_Atomic uint32_t generation;
	_Atomic uint32_t lost;
	uint32_t joined; /* a worker has had this seat, */
	uint32_t member; /* of this machine, from 1; 0: there is only one machine, or that one is gone */
};

struct mz_shared_trunk {
	uint64_t magic;
	uint64_t size;
	uint64_t
	    most; /* how much of it may be used: if other machines have copies, each may raise this up to the size */
	_Atomic uint64_t used;
	_Alignas(128) struct mz_trunk trunk;
	uint64_t operations;         /* how often a worker has had the lock */
	_Atomic uint32_t generation; /* how often the workers have begun anew; also read without the lock */
	uint32_t clearing;           /* not 0: that is under way, and `next_phase` is what they begin with */
	uint32_t next_generation;
	struct mz_trunk_phase phase, next_phase;
	struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS]; /* of the bounds before that of the phase */
	struct mz_shared_keys graphs; /* those that were executed, if they are counted together */
	struct mz_shared_keys closed; /* those that are closed, if workers share that (engine/strategies/cbpor.c) */
	struct mz_session_learned learned;
	struct mz_trunk_notes notes;
	uint32_t nbugs; /* that any worker has met */
	uint64_t bugs[MZ_SESSION_FINDINGS];
	uint32_t nthreads;
	struct mz_session_thread threads[MZ_SESSION_THREADS];
	uint32_t nseats; /* that were ever used */
	struct mz_trunk_seat seats[MZ_TRUNK_WORKERS];
};

static inline struct mz_trunk_link *mz_trunk_link_of(struct mz_shared_trunk *shared)
{
	return (struct mz_trunk_link *)((char *)shared + shared->size);
}

/* Returns what counts of what all workers have explored, those that are gone among them. */
static inline struct mz_trunk_counts mz_trunk_sum_settled(const struct mz_shared_trunk *shared)
{
	struct mz_trunk_counts sum = {0};
	for (uint32_t i = 0; i < MZ_TRUNK_WORKERS; i++) sum = mz_counts_sum(sum, shared->seats[i].settled);
	return sum;
}

#endif
