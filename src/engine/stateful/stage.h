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
#ifndef MZ_ENGINE_STATEFUL_STAGE_H
#define MZ_ENGINE_STATEFUL_STAGE_H

#include "engine/stateful/vector.h"

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
	bool matched; /* the last step led to the local state that is remembered */
	uint32_t steps, all_steps, matches, all_matches;
};

struct mz_stage_thread {
	struct mz_solo solo;
	bool found;            /* the last step is a finding; not set where the step has several alternatives */
	bool ends;             /* alone, it ends the process */
	uint32_t alternatives; /* how many alternatives the last step has */
	uint32_t phase;        /* how many steps it may make the next time */
	struct mz_stage_kept *kept;
	size_t nkept, kept_capacity;
	struct mz_stage_cycle cycle;
	bool keyed;          /* keys has an entry for every step */
	struct mz_key *keys; /* the key of the state after each step */
	size_t keys_capacity;
};

/* Why a vector could not be computed. AGAIN: call mz_stage_play_again(), and compute the vector anew. */
enum mz_stage_failure { MZ_STAGE_FINE, MZ_STAGE_NO_MEMORY, MZ_STAGE_DIVERGED, MZ_STAGE_AGAIN };

struct mz_stage {
	const struct mz_stateful *program;
	/* Called when no state can be kept any more: drops one. Returns false if there is none to drop. */
	bool (*make_room)(void *self);
	void *self;
	bool minimal;      /* only the first step of each thread will be asked for */
	bool as_published; /* see vector.h */
	bool literal;      /* with as_published: see vector.h */
	bool keyed;        /* threads have keys from the start */
	uint32_t nthreads;
	struct mz_stage_thread **threads;
	size_t made, threads_capacity; /* threads of earlier homes are kept, to be used again */
	uint32_t home;                 /* handle of the state home */
	uint32_t at;                   /* handle of the state that the program is in, or MZ_NO_HANDLE */
	uint32_t allowed;              /* how many steps a solo may have */
	bool cut;                      /* a thread could go, and was not allowed a single step */
	struct mz_key home_key;
	struct mz_table seen; /* states that a solo was in, by thread: 1 + the position */
	struct mz_stage_thread *current;
	uint8_t failure; /* enum mz_stage_failure */
};

/* Initializes a stage. The caller has set everything up to `literal`; all else is zero. */
void mz_stage_init(struct mz_stage *stage);
void mz_stage_release(struct mz_stage *stage);

/* Keeps the state that the program is in, and returns its handle; MZ_NO_HANDLE: it failed. */
uint32_t mz_stage_keep(struct mz_stage *stage);
void mz_stage_load(struct mz_stage *stage, uint32_t handle);

/* Begins a solo of each thread from the state `home`; all are empty yet, and may have `allowed` steps. Returns false
 * when there is no memory. */
bool mz_stage_open(struct mz_stage *stage, uint32_t home, uint32_t allowed);
/* Drops all states that were kept, except for home. */
void mz_stage_close(struct mz_stage *stage);
/* Makes the solo that was being recorded begin anew, with keys; the others stay. */
void mz_stage_play_again(struct mz_stage *stage);

/* Serves as add_steps() of struct mz_soloist. */
bool mz_stage_add_steps(void *stage, uint32_t thread);

/* Lets a thread make so many steps from the state that the program is in, the last with that choice. Returns false if
 * the thread did not do what it did before. */
bool mz_stage_repeat(struct mz_stage *stage, uint32_t thread, uint32_t steps, uint32_t choice, enum mz_halt *halt);
/* Makes the program go to the state after so many steps of a thread from home. Returns the handle of that state if it
 * was kept, which is the caller's from then on; else MZ_NO_HANDLE. */
uint32_t mz_stage_reach(struct mz_stage *stage, uint32_t thread, uint32_t position, uint32_t choice,
                        enum mz_halt *halt);

#endif
