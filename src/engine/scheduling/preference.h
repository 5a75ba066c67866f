/* SPDX-License-Identifier: MIT
 *
 * Which thread goes first when nothing else decides: the thread that went last, as long as it can and did not yield;
 * then the others by number. After a yield, those after the one that yielded come first and it comes last, so that all
 * get their turn.
 */
#ifndef MZ_ENGINE_SCHEDULING_PREFERENCE_H
#define MZ_ENGINE_SCHEDULING_PREFERENCE_H

#include "engine/execution/record.h"

/* Goes through the enabled threads in order of preference. */
struct mz_preference {
	const struct mz_view *view;
	uint32_t first;  /* number to start from */
	uint32_t passed; /* how many numbers are done */
	uint32_t chosen; /* the thread that came before all others, or MZ_NO_THREAD */
};

static inline bool mz_enabled(const struct mz_view *view, uint32_t thread)
{
	return thread < view->nthreads && view->pending[thread].status == MZ_THREAD_ENABLED;
}

static inline struct mz_preference mz_preference_start(const struct mz_execution *x, const struct mz_view *view)
{
	struct mz_preference p = {view, 0, 0, MZ_NO_THREAD};
	uint32_t current = view->current;
	bool yielded = x->depth && x->records[x->depth - 1].event.op == MZ_OP_YIELD;
	if (yielded && current < view->nthreads)
		p.first = current + 1;
	else if (mz_enabled(view, current))
		p.chosen = current;
	return p;
}

/* Returns the first enabled thread, then the next one with each call; MZ_NO_THREAD after the last. */
static inline uint32_t mz_preference_next(struct mz_preference *p)
{
	uint32_t n = p->view->nthreads;
	if (p->passed == 0 && p->chosen != MZ_NO_THREAD) {
		p->passed = 1;
		return p->chosen;
	}
	uint32_t steps = n + (p->chosen != MZ_NO_THREAD);
	while (p->passed < steps) {
		uint32_t thread = p->first + p->passed++ - (p->chosen != MZ_NO_THREAD);
		if (thread >= n) thread -= n;
		if (thread != p->chosen && mz_enabled(p->view, thread)) return thread;
	}
	return MZ_NO_THREAD;
}

#endif
