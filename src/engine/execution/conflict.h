/* SPDX-License-Identifier: MIT
 *
 * Which events conflict, and footprints: summaries of what events touch, by which most pairs are seen not to.
 */
#ifndef MZ_ENGINE_EXECUTION_CONFLICT_H
#define MZ_ENGINE_EXECUTION_CONFLICT_H

#include "trace/event.h"

/* Returns false if the summaries of two events show that they do not conflict, which decides most pairs. */
static inline bool mz_events_may_conflict(const struct mz_event *a, const struct mz_event *b)
{
	if (!(a->reads | a->writes) || !(b->reads | b->writes)) return true;
	return (a->writes & (b->reads | b->writes)) || (a->reads & b->writes);
}

static inline bool mz_events_conflict(const struct mz_event *a, const struct mz_event *b)
{
	if (!mz_events_may_conflict(a, b)) return false;
	if (__builtin_expect(a->guessed | b->guessed, 0))
		return (a->guessed || a->naccesses) && (b->guessed || b->naccesses);
	for (unsigned m = 0; m < a->naccesses; m++) {
		for (unsigned n = 0; n < b->naccesses; n++) {
			if (mz_accesses_conflict(&a->accesses[m], &b->accesses[n])) return true;
		}
	}
	return false;
}

/* The objects that some events touch, one bit for each, several objects to a bit. Two events that conflict have
 * footprints that meet. */
struct mz_footprint {
	uint64_t read;
	uint64_t written; /* weakly or not */
};

/* Sets the summary of an event: its footprint. Events without one are compared access by access. */
void mz_event_summarize(struct mz_event *event);

void mz_footprint_add(struct mz_footprint *footprint, const struct mz_event *event);

static inline bool mz_footprints_meet(const struct mz_footprint *a, const struct mz_footprint *b)
{
	return (a->written & (b->read | b->written)) || (a->read & b->written);
}

/* Returns whether everything that meets footprint b meets footprint a. */
static inline bool mz_footprint_contains(const struct mz_footprint *a, const struct mz_footprint *b)
{
	return !(b->written & ~a->written) && !(b->read & ~(a->read | a->written));
}

#endif
