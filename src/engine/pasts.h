/* SPDX-License-Identifier: MIT
 *
 * Events known across executions. An event together with everything that happens before it is a *past*; equal pasts
 * have the same number, whatever execution they occur in, and numbers never change. So a happens-before graph is known
 * by the numbers of its threads' last events, one each: they contain all the others.
 *
 * A past is described by words: who, what, on which objects, the number of the event before it in its thread, and the
 * numbers of the last events of other threads that happen before it. Two descriptions are compared word by word: hashes
 * only say where to look.
 */
#ifndef MZ_ENGINE_PASTS_H
#define MZ_ENGINE_PASTS_H

#include "trace/event.h"
#include <stddef.h>

#define MZ_NO_PAST 0

/* A description under construction. All zero is ready for use. */
struct mz_description {
	uint32_t *words;
	size_t count, capacity;
};

void mz_description_release(struct mz_description *description);
/* Starts with the event, as the `kind`s of its accesses say it turned out, and the event before it in its thread. False
 * when there is no memory; likewise the next. */
bool mz_description_start(struct mz_description *description, const struct mz_event *event, uint32_t previous);
/* Adds the last event of another thread that happens before it; threads in ascending order. */
bool mz_description_after(struct mz_description *description, uint32_t past);

struct mz_past;

/* All zero is ready for use. */
struct mz_pasts {
	struct mz_past *pasts; /* by number - 1 */
	size_t count, pasts_capacity;
	uint32_t *words; /* all descriptions, one behind the other */
	size_t nwords, words_capacity;
	uint32_t *slots; /* open addressing: numbers */
	size_t nslots;
	uint32_t *first; /* [thread]: the latest that is its thread's first event */
	size_t first_capacity;
	uint8_t *marked_first; /* [thread]: the mark of its beginning */
	size_t marked_capacity;
};

void mz_pasts_release(struct mz_pasts *pasts);
/* Its number, or MZ_NO_PAST. */
uint32_t mz_pasts_find(const struct mz_pasts *pasts, const struct mz_description *description);
/* Its number, a new one if need be; MZ_NO_PAST when there is no memory. */
uint32_t mz_pasts_add(struct mz_pasts *pasts, const struct mz_description *description);

/* Those that come right after `previous` (MZ_NO_PAST: first) in `thread`: the first one, and the one after `past`. */
uint32_t mz_pasts_following(const struct mz_pasts *pasts, uint32_t thread, uint32_t previous);
uint32_t mz_pasts_sibling(const struct mz_pasts *pasts, uint32_t past);
/* What the event does, as it was described. At most `room` accesses are written; the event's `naccesses` says how many
 * there are. */
struct mz_event mz_pasts_event(const struct mz_pasts *pasts, uint32_t past, struct mz_access *accesses, size_t room);

/* The n-th of the other threads' last events that happen before it; MZ_NO_PAST behind the last. */
uint32_t mz_pasts_before(const struct mz_pasts *pasts, uint32_t past, size_t n);
uint32_t mz_pasts_thread(const struct mz_pasts *pasts, uint32_t past);

/* Marks it (MZ_NO_PAST: the beginning of `thread`): its thread had to wait after it, nobody told for what. False when
 * there is no memory. */
bool mz_pasts_mark(struct mz_pasts *pasts, uint32_t thread, uint32_t past);
bool mz_pasts_marked(const struct mz_pasts *pasts, uint32_t thread, uint32_t past);

/* Whether something was marked since the last call, and what was seen after it, if anything, touches objects. */
bool mz_pasts_news(struct mz_pasts *pasts);

size_t mz_pasts_bytes(const struct mz_pasts *pasts);

#endif
