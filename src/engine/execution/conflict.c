/* SPDX-License-Identifier: MIT */
#include "engine/execution/conflict.h"

void mz_event_summarize(struct mz_event *event)
{
	struct mz_footprint footprint = {0};
	event->reads = event->writes = event->guessed ? UINT64_MAX : 0;
	mz_footprint_add(&footprint, event);
	event->reads = footprint.read;
	event->writes = footprint.written;
}

/* Returns a bit for each half of the object that is touched, because small elements of arrays share objects. The
 * multiplication gives neighbours different bits. */
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
