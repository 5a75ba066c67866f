/* SPDX-License-Identifier: MIT
 *
 * Sequences of events that could be executed from some state, and the one question that is asked about them: is this
 * event a *weak initial* of that sequence?
 *
 * e is an initial of v if it is in v and conflicts with nothing before it there: v could start with e. It is a weak
 * initial also if it is not in v and conflicts with nothing in v: some continuation of v could start with e. To say so
 * is a guess about how v goes on, which an event after v can prove wrong; an initial stays one.
 *
 * Events are told apart by thread and choice. If a thread has several alternatives, one of them says nothing about
 * sequences in which the thread takes another one.
 *
 * The question is asked again and again while events are taken out of a sequence from its beginning, initials only. So
 * a sequence knows where the events of each thread are, and the last that each event conflicts with; those that are
 * taken out are only marked.
 */
#ifndef MZ_ENGINE_REVERSAL_SEQUENCE_H
#define MZ_ENGINE_REVERSAL_SEQUENCE_H

#include "engine/execution/conflict.h"
#include <stddef.h>

enum mz_initial {
	MZ_INITIAL_NOT,
	MZ_INITIAL_WEAK, /* not in the sequence, and independent of all of it */
	MZ_INITIAL_IN,   /* in the sequence, and independent of all before it */
};

/* A summary of a sequence: the objects and the threads in it, and maybe others. */
struct mz_outline {
	struct mz_footprint footprint;
	uint64_t threads; /* a bit for each, several threads to a bit */
};

static inline void mz_outline_add(struct mz_outline *outline, const struct mz_event *event)
{
	outline->footprint.read |= event->reads;
	outline->footprint.written |= event->writes;
	outline->threads |= (uint64_t)1 << (event->thread & 63);
}

#define MZ_SEQUENCE_BUCKETS 64
#define MZ_SEQUENCE_NOTHING UINT32_MAX       /* no element */
#define MZ_SEQUENCE_UNKNOWN (UINT32_MAX - 1) /* it is not known which element */

/* An element of a sequence. */
struct mz_element {
	const struct mz_event *event;
	uint32_t next; /* element of a thread of the same bucket, or MZ_SEQUENCE_NOTHING */
	/* the latest element that it conflicts with, MZ_SEQUENCE_NOTHING or MZ_SEQUENCE_UNKNOWN. Elements before it of
	 * its own thread, and what they conflict with, do not count: `rival` is asked for once they are gone */
	uint32_t rival;
};

/* All zero is ready for mz_sequence_clear(). */
struct mz_sequence {
	struct mz_element *at;
	size_t count, capacity;
	struct mz_outline outline;
	/* first and last element by bucket of threads; only set where the outline has the thread */
	uint32_t first[MZ_SEQUENCE_BUCKETS], last[MZ_SEQUENCE_BUCKETS];
};

void mz_sequence_release(struct mz_sequence *sequence);
/* Makes the sequence empty, with room for `capacity` elements. Returns false when there is no memory. */
bool mz_sequence_clear(struct mz_sequence *sequence, size_t capacity);

/* Appends an event, which has a summary. */
static inline void mz_sequence_push(struct mz_sequence *sequence, const struct mz_event *event, uint32_t rival)
{
	uint32_t n = (uint32_t)sequence->count++, bucket = event->thread % MZ_SEQUENCE_BUCKETS;
	sequence->at[n] = (struct mz_element){event, MZ_SEQUENCE_NOTHING, rival};
	if (sequence->outline.threads >> bucket & 1)
		sequence->at[sequence->last[bucket]].next = n;
	else
		sequence->first[bucket] = n;
	sequence->last[bucket] = n;
	mz_outline_add(&sequence->outline, event);
}

/* What is left of a sequence: the elements that are not marked in `gone`, from element `first` on. */
struct mz_rest {
	size_t first;
	size_t left;
	bool *gone;
};

static inline void mz_rest_take(struct mz_rest *rest, size_t at)
{
	rest->gone[at] = true;
	if (--rest->left == 0) return;
	while (rest->gone[rest->first]) rest->first++;
}

/* Returns whether the event is an initial of what is left of the sequence; if it is MZ_INITIAL_IN, `*at` is its
 * element. The event must be one that can be executed in the state that the rest of the sequence starts from. */
enum mz_initial mz_sequence_initial(const struct mz_sequence *sequence, const struct mz_rest *rest,
                                    const struct mz_event *event, size_t *at);

#endif
