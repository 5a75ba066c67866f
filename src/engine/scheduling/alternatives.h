/* SPDX-License-Identifier: MIT
 *
 * The alternatives of a thread's operation, in the order in which they are explored: by number, except that those of an
 * operation that inputs decide begin with the one that the inputs of this execution take, and leave out those that no
 * inputs take.
 */
#ifndef MZ_ENGINE_SCHEDULING_ALTERNATIVES_H
#define MZ_ENGINE_SCHEDULING_ALTERNATIVES_H

#include "trace/view.h"

/* The n-th of them, for n < count, is (first + n) % modulus. */
struct mz_alternatives {
	uint32_t count;
	uint32_t first;
	uint32_t modulus;
};

static inline uint32_t mz_alternative(const struct mz_alternatives *alternatives, uint32_t n)
{
	uint32_t choice = alternatives->first + n;
	return choice < alternatives->modulus ? choice : choice - alternatives->modulus;
}

/* Returns the alternatives of a thread's pending operation, whether they are possible or not. */
static inline struct mz_alternatives mz_alternatives_all(const struct mz_view *view, uint32_t thread)
{
	const struct mz_pending *pending = &view->pending[thread];
	return (struct mz_alternatives){pending->alternatives, pending->decided ? pending->decided - 1U : 0,
	                                pending->alternatives};
}

/* Returns a thread that is at a branch which inputs decide, or MZ_NO_THREAD. */
static inline uint32_t mz_view_branching(const struct mz_view *view)
{
	for (uint32_t t = 0; t < view->nthreads; t++)
		if (view->pending[t].decided && view->pending[t].status == MZ_THREAD_ENABLED) return t;
	return MZ_NO_THREAD;
}

/* Returns the thread that all others wait for, or MZ_NO_THREAD. (Where a thread goes on until there is a reason to switch,
 * it need not be looked for: a branch that inputs decide is none.) */
static inline uint32_t mz_view_first(const struct mz_view *view)
{
	for (uint32_t t = 0; t < view->nthreads; t++)
		if (view->pending[t].first && view->pending[t].status == MZ_THREAD_ENABLED) return t;
	return MZ_NO_THREAD;
}

static inline bool mz_alternative_is_possible(const struct mz_view *view, uint32_t thread, uint32_t choice)
{
	const struct mz_pending *pending = &view->pending[thread];
	return !pending->decided || pending->decided == choice + 1 || view->is_possible(thread, choice);
}

/* Returns the alternatives that are possible. Operations that inputs decide have two. */
static inline struct mz_alternatives mz_alternatives_possible(const struct mz_view *view, uint32_t thread)
{
	struct mz_alternatives all = mz_alternatives_all(view, thread);
	if (view->pending[thread].decided && !mz_alternative_is_possible(view, thread, mz_alternative(&all, 1)))
		all.count = 1;
	return all;
}

#endif
