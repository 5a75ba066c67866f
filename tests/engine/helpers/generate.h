/* SPDX-License-Identifier: MIT
 *
 * Random scripts: the same seed gives the same script.
 */
#ifndef MZ_TESTS_GENERATE_H
#define MZ_TESTS_GENERATE_H

#include "script.h"

/* Uses everything a script can do. Locks are nested in any order, so it may deadlock. */
void generate_script(struct script *script, uint64_t seed);

/* Likewise, smaller, and its threads wait for each other in loops. */
void generate_spinning(struct script *script, uint64_t seed);
/* The same with threads that yield, and wait in loops, a few turns at most, until others have done something. */
void generate_waiting_script(struct script *script, uint64_t seed);
/* Threads that use locks which can be shared, semaphores and barriers, besides all else. */
void generate_sharing(struct script *script, uint64_t seed);
/* Three or four threads with little to do before and after they meet at a barrier, all of them or all but one. */
void generate_meeting(struct script *script, uint64_t seed);
/* Threads that wait for any of several objects. */
void generate_polling(struct script *script, uint64_t seed);

/* Threads that branch on inputs. What a condition is may depend on what was read, and its outcome on other threads' branches. */
void generate_branching(struct script *script, uint64_t seed);

/* Threads with atomic sections: what these touch depends on what they read. */
void generate_sections(struct script *script, uint64_t seed);

/* Many threads with little to do, which depends on what they find: reversals of races are often covered by guesses. */
void generate_guessing(struct script *script, uint64_t seed);

/* Its threads may go on for ever, among finitely many states; with assertions, plain accesses, something that has to
 * hold. Not for searches of executions. */
void generate_cyclic(struct script *script, uint64_t seed);

/* Scripts of all kinds that bounds matter to, by turns. */
void generate_for_bounds(struct script *script, uint64_t seed);

/* A script of a kind: "spinning", "sharing", "polling", "branching", "sections", "guessing", "waiting" or
 * "meeting"; any other word: of no kind. */
void generate_of_kind(struct script *script, const char *kind, uint64_t seed);

#endif
