/* SPDX-License-Identifier: MIT */
#include "engine/sequence.h"

enum mz_initial mz_sequence_initial(const struct mz_event *const *sequence, size_t count, const struct mz_event *event,
                                    size_t *at)
{
	/* the summary of the event, all ones if it has none; what meets it may conflict */
	uint64_t missing = event->reads | event->writes ? 0 : ~(uint64_t)0;
	uint64_t writes = event->writes | missing, touches = event->reads | writes;
	uint32_t thread = event->thread;
	for (size_t n = 0; n < count; n++) {
		const struct mz_event *other = sequence[n];
		if (other->thread == thread) {
			*at = n;
			return other->choice == event->choice ? MZ_INITIAL_IN : MZ_INITIAL_NOT;
		}
		bool apart = !(other->writes & touches) && !(other->reads & writes) && (other->reads | other->writes);
		if (!apart && mz_events_conflict(other, event)) return MZ_INITIAL_NOT;
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

/* A bit for each half of the object that is touched: arrays of small elements share objects. The multiplication keeps
 * neighbours apart. */
static uint64_t access_bits(const struct mz_access *access)
{
	const uint64_t golden = 0x9e3779b97f4a7c15ULL;
	uint64_t bits = 0;
	if (access->mask & 0x0f) bits |= (uint64_t)1 << (access->object * golden >> 58);
	if (access->mask & 0xf0) bits |= (uint64_t)1 << ((access->object + 4) * golden >> 58);
	return bits;
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
		uint64_t bits = access_bits(access);
		if (access->kind == MZ_READ || access->kind == MZ_WEAK_READ)
			footprint->read |= bits;
		else
			footprint->written |= bits;
	}
}
