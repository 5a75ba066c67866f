/* SPDX-License-Identifier: MIT
 *
 * The parts of the runtime that have something of the execution under way, in the order in which they are put back,
 * reset, stored and loaded. A part is a line here and the functions that its line names; nothing else has to know it.
 */
#ifndef MZ_RUNTIME_STATES_PARTS_H
#define MZ_RUNTIME_STATES_PARTS_H

#include "runtime/core/core.h"

/* X(part, back, reset, stored, identity):
 *   back      RESTORED: mz_part_restore() puts back what the last execution changed outside of the program's memory
 *   reset     RESET: mz_part_reset() forgets the last execution
 *   stored    STORED: mz_part_store(state) and mz_part_load(state); SELDOM: the same where mz_part_is_used(), and
 *             mz_part_load(NULL) where it was not when the state was stored
 *   identity  STATE: what is stored tells states apart; IDENTITY: what mz_part_identity(state) puts does */
#define MZ_PARTS(X)                                                                                                    \
	X(surroundings, RESTORED, _, SELDOM, _)                                                                        \
	X(streams, RESTORED, _, _, _)                                                                                  \
	X(files, RESTORED, _, _, _)                                                                                    \
	X(mapping, RESTORED, _, _, _)                                                                                  \
	X(protection, RESTORED, _, SELDOM, STATE)                                                                      \
	X(standing, _, RESET, STORED, _)                                                                               \
	X(objects, _, RESET, STORED, IDENTITY)                                                                         \
	X(rwlock, _, RESET, STORED, IDENTITY)                                                                          \
	X(race, _, RESET, STORED, _)                                                                                   \
	X(exit, RESTORED, _, STORED, STATE)                                                                            \
	X(invariants, _, RESET, STORED, STATE)                                                                         \
	X(spin, _, RESET, STORED, _)                                                                                   \
	X(time, _, RESET, STORED, IDENTITY)                                                                            \
	X(leaving, _, RESET, STORED, STATE)                                                                            \
	X(descriptors, _, RESET, STORED, IDENTITY)                                                                     \
	X(shared_files, _, RESET, SELDOM, IDENTITY)                                                                    \
	X(request, _, RESET, _, _)                                                                                     \
	X(pending, _, RESET, SELDOM, STATE)                                                                            \
	X(timers, _, RESET, STORED, STATE)                                                                             \
	X(settings, _, RESET, SELDOM, STATE)                                                                           \
	X(attributes, _, RESET, SELDOM, STATE)                                                                         \
	X(signals, _, RESET, STORED, STATE)                                                                            \
	X(plugin, _, RESET, STORED, _)                                                                                 \
	X(inputs, _, RESET, SELDOM, _)

/* The functions of all parts. */

#define MZ_PART__(part)
#define MZ_PART_RESTORED(part) void mz_##part##_restore(void);
#define MZ_PART_RESET(part) void mz_##part##_reset(void);
#define MZ_PART_STORED(part)                                                                                           \
	void mz_##part##_store(struct mz_state *state);                                                                \
	void mz_##part##_load(struct mz_state *state);
#define MZ_PART_SELDOM(part) MZ_PART_STORED(part) bool mz_##part##_is_used(void);
#define MZ_PART_STATE(part)
#define MZ_PART_IDENTITY(part) void mz_##part##_identity(struct mz_state *state);
#define MZ_PART(part, back, reset, stored, identity)                                                                   \
	MZ_PART_##back(part) MZ_PART_##reset(part) MZ_PART_##stored(part) MZ_PART_##identity(part)
MZ_PARTS(MZ_PART)

/* Restores the world outside and the program's memory to what they were before main. */
void mz_parts_restore(void);
/* The same, and forgets everything of the last execution. */
void mz_parts_reset(void);
/* Restores the world outside alone, after the last execution; memory is left as it is. */
void mz_parts_restore_world(void);

/* Store the execution under way: the memory that all threads share; then everything else. */
void mz_parts_store_shared(struct mz_state *state);
void mz_parts_store_rest(struct mz_state *state);
/* Loads what the two functions above have stored. */
void mz_parts_load(struct mz_state *state);
/* Puts into `state` what tells states apart and is neither memory nor a thread. */
void mz_parts_identity(struct mz_state *state);

#endif
