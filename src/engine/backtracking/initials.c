/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/initials.h"
#include "base/alloc.h"
#include "base/array.h"

void mz_initials_release(struct mz_initials *initials)
{
	mz_free(initials->firsts);
}

static bool is_first(const struct mz_initials *initials, uint32_t thread)
{
	for (size_t n = 0; n < initials->count; n++) {
		if (initials->firsts[n].thread == thread) return false;
	}
	return true;
}

static bool add_first(struct mz_initials *initials, uint32_t thread, uint32_t position)
{
	if (!mz_array_reserve(&initials->firsts, &initials->capacity, initials->count + 1)) return false;
	initials->firsts[initials->count++] = (struct mz_first){thread, position};
	return true;
}

/* Returns whether something with the clock `known` happens after an event of v. */
static bool knows_of_v(const struct mz_initials *initials, const struct mz_execution *x, struct mz_event_clock known)
{
	for (size_t n = 0; n < initials->count; n++) {
		const struct mz_first *first = &initials->firsts[n];
		if (mz_event_clock_at(x, known, first->thread) >= first->position) return true;
	}
	return false;
}

bool mz_initials_covered(struct mz_initials *initials, const struct mz_backtrack *b, uint32_t i, uint32_t end,
                         uint32_t *initial)
{
	struct mz_execution *x = b->x;
	uint32_t enabled = mz_backtrack_count_enabled(b, i) - 1; /* without the thread of i, which has no event in v */
	initials->count = 0;
	for (uint32_t k = i + 1; k < end && enabled; k++) {
		const struct mz_event_record *r = &x->records[k];
		if (!mz_execution_in_reversal(x, i, k) || !is_first(initials, r->event.thread)) continue;
		enabled -= mz_backtrack_enabled(b, i, r->event.thread);
		bool is_initial = !knows_of_v(initials, x, r->clock);
		if (!add_first(initials, r->event.thread, r->position)) {
			x->failed = true;
			return true;
		}
		if (!is_initial) continue;
		if (mz_backtrack_covers_step(b, i, r->event.thread, r->event.choice)) return true;
		if (*initial == MZ_NO_THREAD) *initial = r->event.thread;
	}
	return false;
}

bool mz_initials_may_have(const struct mz_initials *initials, const struct mz_backtrack *b, uint32_t i, uint32_t thread,
                          struct mz_event_clock known)
{
	return mz_backtrack_enabled(b, i, thread) && is_first(initials, thread) && !knows_of_v(initials, b->x, known);
}
