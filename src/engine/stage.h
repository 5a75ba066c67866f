/* SPDX-License-Identifier: MIT
 *
 * A stage: threads of a program appear on it one at a time and run alone, all from the same state, *home*. What each
 * does is recorded in its solo, as far as it was asked for; states on the way are kept, so that one can go on from
 * there later, or come back.
 *
 * A thread is let run for a while at a time, each longer than the last: it costs little to have recorded too much.
 *
 * A solo ends with the first step that leads to a state it was in before. Where keys are not cheap, that one is only
 * known afterwards, when the thread has gone round some times more: then its solo is played again, with a key for every
 * step. Nothing is remembered from one home to the next, so that what is recorded is a function of home alone,
 * whichever process looks at it.
 */
#ifndef MZ_ENGINE_STAGE_H
#define MZ_ENGINE_STAGE_H

#include "engine/vector.h"

struct mz_stage_kept {
	uint32_t position; /* steps from home */
	uint32_t handle;
};

/* Looks for a state that comes back (Brent 1980): a state is remembered for twice as many steps each time, and compared
 * with all that follow. First by what the thread itself remembers, which costs nothing. Where that is the same, by the
 * key of the whole, in the same manner. */
struct mz_stage_cycle {
	uint64_t local;
	struct mz_key key;
	bool has_local, has_key;
	bool matched; /* the last step has led to the same local state */
	uint32_t steps, all_steps, matches, all_matches;
};

struct mz_stage_thread {
	struct mz_solo solo;
	bool found;            /* the last step is a finding; not told where it has several alternatives */
	bool ends;             /* alone, it ends the process */
	uint32_t alternatives; /* of the last step */
	uint32_t phase;        /* how long it is let run the next time */
	struct mz_stage_kept *kept;
	size_t nkept, kept_capacity;
	struct mz_stage_cycle cycle;
	bool keyed;          /* there is a key for every step */
	struct mz_key *keys; /* those */
	size_t keys_capacity;
};

/* AGAIN: mz_stage_play_again(), and compute the vector anew. */
enum mz_stage_failure { MZ_STAGE_FINE, MZ_STAGE_NO_MEMORY, MZ_STAGE_DIVERGED, MZ_STAGE_AGAIN };

struct mz_stage {
	const struct mz_stateful *program;
	/* Called when no state can be kept any more: drops one. False if there is none. */
	bool (*make_room)(void *self);
	void *self;
	bool minimal;      /* nothing but first steps is asked for */
	bool as_published; /* see vector.h */
	bool keyed;        /* threads have keys from the start */
	uint32_t nthreads;
	struct mz_stage_thread **threads;
	size_t made, threads_capacity; /* threads of the past are there still */
	uint32_t home;                 /* handle */
	uint32_t at;                   /* handle of the state that the program is in, or MZ_MAP_NONE */
	uint32_t allowed;              /* steps */
	bool cut;                      /* somebody could go, and was not allowed a single one */
	struct mz_key home_key;
	struct mz_scratch seen; /* states, by thread */
	struct mz_stage_thread *current;
	uint8_t failure; /* enum mz_stage_failure */
};

/* Everything up to `as_published` is set, all else zero. */
void mz_stage_init(struct mz_stage *stage);
void mz_stage_release(struct mz_stage *stage);

/* Keeps the state the program is in. MZ_MAP_NONE: failed. */
uint32_t mz_stage_keep(struct mz_stage *stage);
void mz_stage_go(struct mz_stage *stage, uint32_t handle);

/* All solos from a state, empty yet. False when there is no memory. */
bool mz_stage_open(struct mz_stage *stage, uint32_t home, uint32_t allowed);
/* Drops all that was kept but home. */
void mz_stage_close(struct mz_stage *stage);
/* The solo that was being recorded begins anew, with keys; the others stay. */
void mz_stage_play_again(struct mz_stage *stage);

/* A soloist's. */
bool mz_stage_more(void *stage, uint32_t thread);

/* Lets a thread make so many steps, the last with that choice, from the state the program is in. False: it did not do
 * what it has done before. */
bool mz_stage_repeat(struct mz_stage *stage, uint32_t thread, uint32_t steps, uint32_t choice, enum mz_halt *halt);
/* The program goes to the state after so many steps of a thread from home. The handle of it if there is one, which is
 * the caller's then, or MZ_MAP_NONE. */
uint32_t mz_stage_reach(struct mz_stage *stage, uint32_t thread, uint32_t position, uint32_t choice,
                        enum mz_halt *halt);

#endif
