/* SPDX-License-Identifier: MIT */
#include "engine/sequence.h"
#include "base/hash.h"

enum mz_initial mz_sequence_initial(const struct mz_event *const *sequence, size_t count, const struct mz_event *event,
                                    size_t *at)
{
	for (size_t n = 0; n < count; n++) {
		if (sequence[n]->thread == event->thread) {
			*at = n;
			return sequence[n]->choice == event->choice ? MZ_INITIAL_IN : MZ_INITIAL_NOT;
		}
		if (mz_events_conflict(sequence[n], event)) return MZ_INITIAL_NOT;
	}
	return MZ_INITIAL_WEAK;
}

void mz_event_summarize(struct mz_event *event)
{
	struct mz_footprint footprint = {0};
	event->reads = event->writes = 0;
	mz_footprint_add(&footprint, event);
	event->reads = footprint.read;
	event->writes = footprint.written;
}

void mz_footprint_add(struct mz_footprint *footprint, const struct mz_event *event)
{
	if (event->reads | event->writes) {
		footprint->read |= event->reads;
		footprint->written |= event->writes;
		return;
	}
	for (unsigned a = 0; a < event->naccesses; a++) {
		const struct mz_access *access = &event->accesses[a];
		uint64_t bit = (uint64_t)1 << (mz_mix(access->object) & 63);
		if (access->kind == MZ_READ || access->kind == MZ_WEAK_READ)
			footprint->read |= bit;
		else
			footprint->written |= bit;
	}
}
