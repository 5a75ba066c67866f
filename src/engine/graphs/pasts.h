/* SPDX-License-Identifier: MIT
 *
 * Events known across executions. An event together with everything that happens before it is a *past*; equal pasts
 * have the same number, whatever execution they occur in, and numbers never change. So a happens-before graph is known
 * by the numbers of its threads' last events, one each: they contain all the others.
 *
 * A past is described by words: its thread, its operation, its objects, the number of the event before it in its
 * thread, and the numbers of the last events of other threads that happen before it. Two descriptions are compared word
 * by word: hashes only say where to look.
 *
 * Numbers mean nothing in other processes. Where workers share what they know of graphs, a past also has a key: a hash of its
 * description with the keys of other pasts in place of their numbers, which is the same in every process.
 */
#ifndef MZ_ENGINE_GRAPHS_PASTS_H
#define MZ_ENGINE_GRAPHS_PASTS_H

#include "base/hash.h"
#include "base/table.h"
#include "trace/event.h"
#include <stddef.h>

#define MZ_NO_PAST 0

/* The description of a past while it is being put together. All zero is ready for use. */
struct mz_description {
	uint32_t *words;
	size_t count, capacity;
};

void mz_description_release(struct mz_description *description);
/* Starts a description with the event, as the `kind`s of its accesses say it turned out, and the event before it in its
 * thread. Returns false when there is no memory. */
bool mz_description_start(struct mz_description *description, const struct mz_event *event, uint32_t previous);
/* Adds the last event of another thread that happens before the event; to be called for threads in ascending order.
 * Returns false when there is no memory. */
bool mz_description_after(struct mz_description *description, uint32_t past);

struct mz_past;

/* All zero is ready for use. */
struct mz_pasts {
	struct mz_past *pasts; /* by number - 1 */
	size_t count, pasts_capacity;
	uint32_t *words; /* all descriptions, one behind the other */
	size_t nwords, words_capacity;
	struct mz_table numbers; /* by hash of the description */
	uint32_t *first;         /* [thread]: the latest past that is the thread's first event */
	size_t first_capacity;
	uint8_t *marked_first; /* [thread]: whether its beginning is marked */
	size_t marked_capacity;
	bool keyed;          /* pasts have keys; to be set before any is added */
	struct mz_key *keys; /* by number - 1 */
	size_t keys_capacity;
};

void mz_pasts_release(struct mz_pasts *pasts);
/* Returns the number of the past with that description, or MZ_NO_PAST if it is not known. */
uint32_t mz_pasts_find(const struct mz_pasts *pasts, const struct mz_description *description);
/* Returns the number of the past with that description, and adds it if need be; MZ_NO_PAST when there is no memory. */
uint32_t mz_pasts_add(struct mz_pasts *pasts, const struct mz_description *description);

/* Returns the key of a past, all zero for MZ_NO_PAST; and the key that a past with that description has, also if it is not
 * known. */
struct mz_key mz_pasts_key(const struct mz_pasts *pasts, uint32_t past);
struct mz_key mz_pasts_key_of(const struct mz_pasts *pasts, const struct mz_description *description);

/* Return the pasts whose event comes right after `previous` in `thread` (MZ_NO_PAST: is its first event):
 * mz_pasts_following() the first of them, mz_pasts_sibling() the one after `past`; MZ_NO_PAST if there is none. */
uint32_t mz_pasts_following(const struct mz_pasts *pasts, uint32_t thread, uint32_t previous);
uint32_t mz_pasts_sibling(const struct mz_pasts *pasts, uint32_t past);
/* Returns the event of a past, as it was described. At most `room` accesses are written; the event's `naccesses` says
 * how many there are. */
struct mz_event mz_pasts_event(const struct mz_pasts *pasts, uint32_t past, struct mz_access *accesses, size_t room);

/* Returns the n-th of the last events of other threads that happen before it; MZ_NO_PAST behind the last. */
uint32_t mz_pasts_before(const struct mz_pasts *pasts, uint32_t past, size_t n);
uint32_t mz_pasts_thread(const struct mz_pasts *pasts, uint32_t past);

/* Marks a past (MZ_NO_PAST: the beginning of `thread`): after it the thread had to wait, and the host did not tell for
 * what. Returns false when there is no memory. */
bool mz_pasts_mark(struct mz_pasts *pasts, uint32_t thread, uint32_t past);
bool mz_pasts_marked(const struct mz_pasts *pasts, uint32_t thread, uint32_t past);

/* Returns whether a past was marked since the last call for which the mark matters: after it either no event was seen,
 * or at least one that touches an object. (If all events seen after it touch nothing, the thread waits for the end of
 * another one, which the order of events tells.) */
bool mz_pasts_take_news(struct mz_pasts *pasts);

size_t mz_pasts_bytes(const struct mz_pasts *pasts);

#endif
