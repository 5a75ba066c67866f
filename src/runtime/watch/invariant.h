/* SPDX-License-Identifier: MIT
 *
 * Invariants: functions of the program that must return true in every state (mz_invariant() of <mazurka.h>).
 *
 * A search of states asks whether they hold, and learns what they read: whoever writes that meets them. All other
 * strategies evaluate them at every choice. For them, operations that write to what invariants have read have one more
 * access, a write to an object that stands for all invariants: so all orders of such operations are explored, and
 * reduction hides no state from an invariant. What has been read once counts from then on, in all executions of all
 * processes; where more was read than can be listed, anything may be read. With
 * --points sync plain writes are no operations: all operations of a thread that makes any to what was read have that
 * access.
 */
#ifndef MZ_RUNTIME_WATCH_INVARIANT_H
#define MZ_RUNTIME_WATCH_INVARIANT_H

#include "runtime/core/core.h"

/* Adds an invariant that the program states at `caller`: holds(argument) must not return 0. */
void mz_invariant_add(struct mz_fiber *self, int (*holds)(void *), void *argument, uintptr_t caller);

/* Evaluates all, and reports the first that does not hold. All threads are suspended, or the running one is at a
 * choice. */
void mz_invariants_check(void);
/* Reports whether invariants have read more memory than ever before, since the last call: then operations have other
 * accesses, and the search must start over. */
bool mz_invariants_are_new(void);
/* Evaluates all invariants and reports whether all hold. `*reads` becomes what they read, valid until the next
 * evaluation. */
bool mz_invariants_hold(const struct mz_access **reads, size_t *nreads);

/* Called for the accesses and operations of an invariant that is being evaluated (mz_rt.invariants.evaluating): notes
 * what it reads, and refuses writes. */
MZ_COLD void mz_invariant_touch(uintptr_t address, size_t size, bool write);
MZ_COLD void mz_invariant_operation(const struct mz_fiber *self, enum mz_op op, uint16_t naccesses);
/* Ends the evaluation of an invariant that is about to do what invariants must not do; `what` says what that is. */
MZ_COLD _Noreturn void mz_invariant_refuse(const char *what);
/* Ends the evaluation of an invariant that has failed, by abort() or a fault: it does not hold. */
_Noreturn void mz_invariant_abort(void);

/* Called for a plain write that is no operation: notes whether invariants read that memory. */
MZ_COLD void mz_invariant_written(const struct mz_fiber *self, uintptr_t address, size_t size);

/* Appends the access that stands for all invariants to the pending operation of a thread, if the operation needs one.
 * Returns the new number of accesses. */
uint16_t mz_invariant_extend(struct mz_fiber *fiber, enum mz_op op, uint16_t naccesses);
/* The same once the operation has been executed. */
uint16_t mz_invariant_commit(struct mz_fiber *fiber, uint16_t naccesses);

/* Forgets all invariants, for the next execution. */
void mz_invariants_reset(void);
/* See state.h. */
void mz_invariants_store(struct mz_state *state);
void mz_invariants_load(struct mz_state *state);

#endif
