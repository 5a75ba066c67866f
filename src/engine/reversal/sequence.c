/* SPDX-License-Identifier: MIT */
#include "engine/reversal/sequence.h"
#include "base/alloc.h"
#include "base/array.h"

void mz_sequence_release(struct mz_sequence *sequence)
{
	mz_free(sequence->at);
	*sequence = (struct mz_sequence){0};
}

bool mz_sequence_clear(struct mz_sequence *sequence, size_t capacity)
{
	sequence->count = 0;
	sequence->outline = (struct mz_outline){0};
	return mz_array_reserve(&sequence->at, &sequence->capacity, capacity);
}

/* Returns the first element of the thread in what is left, or MZ_SEQUENCE_NOTHING. */
static uint32_t find(const struct mz_sequence *sequence, const struct mz_rest *rest, uint32_t thread)
{
	uint32_t bucket = thread % MZ_SEQUENCE_BUCKETS;
	if (!(sequence->outline.threads >> bucket & 1)) return MZ_SEQUENCE_NOTHING;
	uint32_t n = sequence->first[bucket];
	while (n != MZ_SEQUENCE_NOTHING && (rest->gone[n] || sequence->at[n].event->thread != thread))
		n = sequence->at[n].next;
	return n;
}

/* Returns whether an event conflicts with any of the first `count` elements that are left. */
static bool meets(const struct mz_sequence *sequence, const struct mz_rest *rest, size_t count,
                  const struct mz_event *event)
{
	/* the summary of the event, all ones if it has none */
	uint64_t missing = event->reads | event->writes ? 0 : ~(uint64_t)0;
	uint64_t writes = event->writes | missing, touches = event->reads | writes;
	const struct mz_footprint *all = &sequence->outline.footprint;
	if (!(all->written & touches) && !(all->read & writes)) return false;
	for (size_t n = rest->first; n < count; n++) {
		const struct mz_event *other = sequence->at[n].event;
		if (!((other->writes & touches) | (other->reads & writes)) || rest->gone[n]) continue;
		if (mz_events_conflict(other, event)) return true;
	}
	return false;
}

/* `rival` of an element decides, because earlier elements of its thread, and what those conflict with, are gone by
 * then. */
enum mz_initial mz_sequence_initial(const struct mz_sequence *sequence, const struct mz_rest *rest,
                                    const struct mz_event *event, size_t *at)
{
	uint32_t n = find(sequence, rest, event->thread);
	if (n == MZ_SEQUENCE_NOTHING)
		return meets(sequence, rest, sequence->count, event) ? MZ_INITIAL_NOT : MZ_INITIAL_WEAK;
	*at = n;
	uint32_t rival = sequence->at[n].rival;
	if (sequence->at[n].event->choice != event->choice) return MZ_INITIAL_NOT;
	if (rival == MZ_SEQUENCE_NOTHING || n == rest->first) return MZ_INITIAL_IN;
	if (rival != MZ_SEQUENCE_UNKNOWN && !rest->gone[rival]) return MZ_INITIAL_NOT;
	return meets(sequence, rest, n, event) ? MZ_INITIAL_NOT : MZ_INITIAL_IN;
}
