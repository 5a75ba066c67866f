/* SPDX-License-Identifier: MIT
 *
 * Where threads are in the chains of branches that settle values (settle.h), the order in which values are tried, and
 * the limit on their number.
 */
#ifndef MZ_RUNTIME_INPUTS_CHAIN_H
#define MZ_RUNTIME_INPUTS_CHAIN_H

#include "runtime/core/core.h"

/* A branch of a chain. */
struct mz_link {
	uint32_t expression; /* whose value is settled. 0: the thread is at no such branch */
	uint32_t n;          /* how many values were tried before */
	uint32_t is_signed;
	uintptr_t caller;
};

/* Returns the branch that the thread is at. */
struct mz_link *mz_chain_link(uint32_t thread);
/* Chooses among the inputs that take the other alternative of the branch that the thread is at, if that branch settles
 * a value: the second value to try is the highest possible one, the third the lowest, since an index that can leave its
 * array is most likely to do so there. `count` is the number of constraints that the inputs fulfil. */
void mz_chain_steer(uint32_t thread, uint32_t count);

/* Reports whether no more values are to be tried where the thread is. */
bool mz_chain_is_last(uint32_t thread);
/* Notes that the expression which the thread is settling has more values than the limit lets it try. */
void mz_chain_cut(uint32_t thread);

/* A thread begins: it is at no branch. */
void mz_chain_forget(uint32_t thread);
/* Where threads are, as a part of states. */
void mz_chain_store(struct mz_state *state, uint32_t nthreads);
void mz_chain_load(struct mz_state *state, uint32_t nthreads);

#endif
