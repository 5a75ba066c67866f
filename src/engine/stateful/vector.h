/* SPDX-License-Identifier: MIT
 *
 * Cartesian vectors: CalcCV of "Cartesian Partial-Order Reduction" (Figure 6), on records of what each thread does when
 * it runs alone from one and the same state.
 *
 * A vector has a prefix of each such *solo*. Only the last steps of two prefixes may conflict: all that comes before
 * them is independent of everything in the other. Prefixes grow by a step each in turn; one is closed
 *   - before a step that conflicts with another prefix before its last step;
 *   - after a step that conflicts with another prefix's last, and that one with it;
 *   - after a step that cannot be followed by anything, or leads back to where the solo was before (it loops).
 * What loops is *infinite*, unless a last step has met its own: there is no way out of it, so nothing to be explored.
 *
 * A thread that waits loops by a step that reads what it waits for and leads nowhere; so does one that is over, which
 * reads nothing. Such a step is *idle*, and the last of its solo. It ends the prefixes that it meets, but it is
 * infinite in any case: whoever lets the thread go on does so with the last step of his prefix, and from there on the
 * thread is followed again. as_published, a thread that waits goes somewhere, and has its idle step twice, so that it
 * cuts what it meets before that does so: with this, File System has as many states as the paper says. Figure 6 to the
 * letter (`literal`) has the idle step twice only if it is the first of its prefix; and a prefix that was found to be
 * infinite stays so if it is met later. Then a step that writes in a loop, and is met only when the loop has been
 * noticed, is not followed: local states may be missed.
 */
#ifndef MZ_ENGINE_STATEFUL_VECTOR_H
#define MZ_ENGINE_STATEFUL_VECTOR_H

#include "base/table.h"
#include "trace/stateful.h"

/* What a solo remembers of an access. */
struct mz_touch {
	uint64_t object;
	uint32_t place;  /* index of the object in the vector */
	uint32_t choice; /* the alternative of the step that makes this access */
	uint8_t mask;
	uint8_t kind; /* enum mz_access_kind */
	bool plain;   /* it came after the visible operation */
};

struct mz_solo_step {
	size_t end;   /* its touches end here, and begin where those of the step before it end */
	bool races;   /* its visible operation is a plain access */
	bool changes; /* it changes something that is not the thread's own */
};

enum mz_solo_end {
	MZ_SOLO_OPEN,   /* more steps may follow */
	MZ_SOLO_LAST,   /* nothing may follow */
	MZ_SOLO_LOOPED, /* the last step leads back to where it was before */
	MZ_SOLO_WAITS,  /* the same, by an idle step: the thread is blocked */
	MZ_SOLO_OVER,   /* the same: the thread has ended */
};

struct mz_solo {
	struct mz_solo_step *steps;
	struct mz_touch *touches;
	size_t nsteps, ntouches;
	size_t steps_capacity, touches_capacity;
	uint8_t end;    /* enum mz_solo_end */
	uint8_t nidles; /* how many of the last steps are idle */
	uint32_t from;  /* LOOPED: the first step of the loop */
	/* The prefix that the vector takes of it. */
	uint32_t length;
	bool closed;
	bool infinite;
	bool ordered; /* scratch: it is ordered with the step being added, by their operations */
};

/* All zero is an empty solo. */
void mz_solo_release(struct mz_solo *solo);
void mz_solo_clear(struct mz_solo *solo);
/* Adds a step. Returns false when there is no memory. */
bool mz_solo_add(struct mz_solo *solo, const struct mz_stride *stride);
/* Adds what another alternative of the last step touches. Returns false when there is no memory. */
bool mz_solo_add_alternative(struct mz_solo *solo, const struct mz_stride *stride);
/* Adds an idle step, which reads these accesses, and ends the solo with it. `times`: 1, or 2 as published. Returns
 * false when there is no memory. */
bool mz_solo_add_idle(struct mz_solo *solo, enum mz_solo_end end, const struct mz_access *reads, size_t count,
                      unsigned times);

/* Returns whether the last step of the solo's prefix is idle. */
static inline bool mz_solo_ends_idle(const struct mz_solo *solo)
{
	return solo->length > solo->nsteps - solo->nidles;
}

/* Returns how many steps of the solo's prefix lead somewhere. */
static inline uint32_t mz_solo_count_moves(const struct mz_solo *solo)
{
	return mz_solo_ends_idle(solo) ? (uint32_t)solo->nsteps - solo->nidles : solo->length;
}

/* Two last steps of prefixes that are a data race. */
struct mz_meeting {
	uint64_t object;
	struct mz_step first, second; /* the threads and their alternatives */
};

/* Where solos get their steps from. */
struct mz_soloist {
	void *self;
	/* Adds at least one step to a thread's solo, or ends it. Returns false if it cannot: the vector is of no use
	 * then. */
	bool (*add_steps)(void *self, uint32_t thread);
};

struct mz_vector {
	struct mz_solo **solos;
	uint32_t count;
	bool as_published;
	bool literal; /* with as_published */
	/* what follows is its own */
	struct mz_table places; /* of objects: 1 + where they are in `objects` */
	struct mz_vector_object *objects;
	size_t nobjects, objects_capacity;
	struct mz_vector_user *users; /* of objects */
	size_t nusers, users_capacity;
	struct mz_vector_met *met; /* the steps that the step being added meets */
	size_t nmet, met_capacity;
	uint32_t *turn; /* threads whose prefixes are not closed */
	size_t turn_capacity;
	struct mz_meeting *races;
	size_t nraces, races_capacity;
};

/* All zero is a vector of nothing. */
void mz_vector_release(struct mz_vector *vector);
/* Computes the vector of `solos`; asks the soloist for further steps of solos where they are needed. With `minimal`,
 * all prefixes have one step. Leaves data races in `races`. Returns false when there is no memory, or the soloist
 * returned false. */
bool mz_vector_compute(struct mz_vector *vector, bool minimal, const struct mz_soloist *soloist);

#endif
