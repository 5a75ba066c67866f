/* SPDX-License-Identifier: MIT
 *
 * Words of a description: thread, previous, operation and number of accesses, choice, three for each access (object,
 * bytes and kind), then one for each other thread.
 */
#include "engine/graphs/pasts.h"
#include "base/alloc.h"
#include "base/array.h"
#include <string.h>

#ifndef MZ_HASH_BITS /* tests set fewer, to make hashes collide */
#define MZ_HASH_BITS 32
#endif

enum mark { UNMARKED, MARKED, MARKED_BEFORE };

struct mz_past {
	size_t words; /* index in `words` at which its description starts */
	uint32_t length;
	/* the number that was added last among the pasts whose event comes right after this one in its thread */
	uint32_t following;
	uint32_t sibling; /* the one that was added before it among the pasts that come right after the same past */
	uint8_t marked;   /* enum mark */
};

/* ---- descriptions ---- */

void mz_description_release(struct mz_description *description)
{
	mz_free(description->words);
	*description = (struct mz_description){0};
}

bool mz_description_start(struct mz_description *d, const struct mz_event *event, uint32_t previous)
{
	if (!mz_array_reserve(&d->words, &d->capacity, 4 + 3 * (size_t)event->naccesses)) return false;
	uint32_t *to = d->words;
	*to++ = event->thread;
	*to++ = previous;
	*to++ = (uint32_t)event->op << 16 | event->naccesses;
	*to++ = event->choice;
	for (unsigned n = 0; n < event->naccesses; n++) {
		const struct mz_access *access = &event->accesses[n];
		*to++ = (uint32_t)access->object;
		*to++ = (uint32_t)(access->object >> 32);
		*to++ = (uint32_t)access->mask << 8 | access->kind;
	}
	d->count = (size_t)(to - d->words);
	return true;
}

bool mz_description_after(struct mz_description *d, uint32_t past)
{
	if (!mz_array_reserve(&d->words, &d->capacity, d->count + 1)) return false;
	d->words[d->count++] = past;
	return true;
}

static uint32_t hash_of(const struct mz_description *d)
{
	uint64_t hash = d->count;
	for (size_t n = 0; n < d->count; n++) hash = mz_hash2(hash, d->words[n]);
	return (uint32_t)(hash & (((uint64_t)1 << MZ_HASH_BITS) - 1));
}

/* ---- the table ---- */

void mz_pasts_release(struct mz_pasts *pasts)
{
	mz_free(pasts->pasts);
	mz_free(pasts->words);
	mz_table_release(&pasts->numbers);
	mz_free(pasts->first);
	mz_free(pasts->marked_first);
	mz_free(pasts->keys);
	*pasts = (struct mz_pasts){0};
}

struct sought {
	const struct mz_pasts *pasts;
	const struct mz_description *description;
};

static bool is_same(const void *sought, uint64_t number)
{
	const struct mz_pasts *pasts = ((const struct sought *)sought)->pasts;
	const struct mz_description *d = ((const struct sought *)sought)->description;
	const struct mz_past *past = &pasts->pasts[number - 1];
	return past->length == d->count &&
	       memcmp(pasts->words + past->words, d->words, d->count * sizeof *d->words) == 0;
}

static uint32_t find(const struct mz_pasts *pasts, const struct mz_description *d, uint32_t hash)
{
	const struct sought sought = {pasts, d};
	return (uint32_t)mz_table_find_equal(&pasts->numbers, hash, is_same, &sought);
}

uint32_t mz_pasts_find(const struct mz_pasts *pasts, const struct mz_description *d)
{
	return find(pasts, d, hash_of(d));
}

static bool grow_first(struct mz_pasts *pasts, uint32_t thread)
{
	size_t had = pasts->first_capacity;
	if (!mz_array_reserve(&pasts->first, &pasts->first_capacity, (size_t)thread + 1)) return false;
	if (pasts->first_capacity > had)
		memset(pasts->first + had, 0, (pasts->first_capacity - had) * sizeof *pasts->first);
	return true;
}

static bool grow(struct mz_pasts *pasts, const struct mz_description *d)
{
	if (pasts->count >= UINT32_MAX - 1 || !grow_first(pasts, d->words[0])) return false;
	if (!mz_array_reserve(&pasts->pasts, &pasts->pasts_capacity, pasts->count + 1)) return false;
	if (!mz_array_reserve(&pasts->words, &pasts->words_capacity, pasts->nwords + d->count)) return false;
	return !pasts->keyed || mz_array_reserve(&pasts->keys, &pasts->keys_capacity, pasts->count + 1);
}

uint32_t mz_pasts_add(struct mz_pasts *pasts, const struct mz_description *d)
{
	uint32_t hash = hash_of(d);
	uint32_t known = find(pasts, d, hash);
	if (known) return known;
	if (!grow(pasts, d) || !mz_table_add(&pasts->numbers, hash, pasts->count + 1)) return MZ_NO_PAST;
	uint32_t number = (uint32_t)++pasts->count, previous = d->words[1];
	uint32_t *link = previous ? &pasts->pasts[previous - 1].following : &pasts->first[d->words[0]];
	pasts->pasts[number - 1] = (struct mz_past){pasts->nwords, (uint32_t)d->count, MZ_NO_PAST, *link, UNMARKED};
	*link = number;
	if (pasts->keyed) pasts->keys[number - 1] = mz_pasts_key_of(pasts, d);
	memcpy(pasts->words + pasts->nwords, d->words, d->count * sizeof *d->words);
	pasts->nwords += d->count;
	return number;
}

/* ---- keys ---- */

struct mz_key mz_pasts_key(const struct mz_pasts *pasts, uint32_t past)
{
	return past ? pasts->keys[past - 1] : (struct mz_key){0};
}

static struct mz_key hash_past(const struct mz_pasts *pasts, struct mz_key hash, uint32_t past)
{
	struct mz_key key = mz_pasts_key(pasts, past);
	return mz_hash_pair(hash, key.low, key.high);
}

struct mz_key mz_pasts_key_of(const struct mz_pasts *pasts, const struct mz_description *d)
{
	size_t others = 4 + 3 * (size_t)(uint16_t)d->words[2];
	struct mz_key hash = mz_hash_pair((struct mz_key){0}, d->words[0], d->count);
	hash = hash_past(pasts, hash, d->words[1]);
	for (size_t n = 2; n < others; n++) hash = mz_hash_pair(hash, d->words[n], n);
	for (size_t n = others; n < d->count; n++) hash = hash_past(pasts, hash, d->words[n]);
	return mz_hash_end(hash);
}

/* ---- what is known of pasts ---- */

uint32_t mz_pasts_following(const struct mz_pasts *pasts, uint32_t thread, uint32_t previous)
{
	if (previous) return pasts->pasts[previous - 1].following;
	return thread < pasts->first_capacity ? pasts->first[thread] : MZ_NO_PAST;
}

uint32_t mz_pasts_sibling(const struct mz_pasts *pasts, uint32_t past)
{
	return pasts->pasts[past - 1].sibling;
}

struct mz_event mz_pasts_event(const struct mz_pasts *pasts, uint32_t past, struct mz_access *accesses, size_t room)
{
	const uint32_t *words = pasts->words + pasts->pasts[past - 1].words;
	struct mz_event event = {.thread = words[0],
	                         .choice = words[3],
	                         .alternatives = 1,
	                         .op = (uint16_t)(words[2] >> 16),
	                         .naccesses = (uint16_t)words[2],
	                         .accesses = accesses};
	words += 4;
	for (unsigned n = 0; n < event.naccesses && n < room; n++, words += 3) {
		accesses[n] = (struct mz_access){.object = words[0] | (uint64_t)words[1] << 32,
		                                 .mask = (uint8_t)(words[2] >> 8),
		                                 .kind = (uint8_t)words[2]};
	}
	return event;
}

uint32_t mz_pasts_before(const struct mz_pasts *pasts, uint32_t past, size_t n)
{
	const struct mz_past *p = &pasts->pasts[past - 1];
	const uint32_t *words = pasts->words + p->words;
	size_t at = 4 + 3 * (size_t)(uint16_t)words[2] + n;
	return at < p->length ? words[at] : MZ_NO_PAST;
}

uint32_t mz_pasts_thread(const struct mz_pasts *pasts, uint32_t past)
{
	return pasts->words[pasts->pasts[past - 1].words];
}

bool mz_pasts_mark(struct mz_pasts *pasts, uint32_t thread, uint32_t past)
{
	if (past) {
		if (!pasts->pasts[past - 1].marked) pasts->pasts[past - 1].marked = MARKED;
		return true;
	}
	size_t had = pasts->marked_capacity;
	if (!mz_array_reserve(&pasts->marked_first, &pasts->marked_capacity, (size_t)thread + 1)) return false;
	for (size_t t = had; t < pasts->marked_capacity; t++) pasts->marked_first[t] = UNMARKED;
	if (!pasts->marked_first[thread]) pasts->marked_first[thread] = MARKED;
	return true;
}

/* Returns whether a mark is new and matters, and makes it an old one. It does not matter if the thread only waits for
 * the end of another one: then the events after it touch nothing, and the order of events tells. */
static bool is_news(const struct mz_pasts *pasts, uint8_t *mark, uint32_t following)
{
	bool new = *mark == MARKED, touches = following == MZ_NO_PAST;
	if (!new) return false;
	*mark = MARKED_BEFORE;
	for (; following; following = mz_pasts_sibling(pasts, following))
		touches |= mz_pasts_event(pasts, following, NULL, 0).naccesses != 0;
	return touches;
}

bool mz_pasts_take_news(struct mz_pasts *pasts)
{
	bool news = false;
	for (size_t n = 0; n < pasts->count; n++)
		news |= is_news(pasts, &pasts->pasts[n].marked, pasts->pasts[n].following);
	for (uint32_t t = 0; t < pasts->marked_capacity; t++)
		news |= is_news(pasts, &pasts->marked_first[t], mz_pasts_following(pasts, t, MZ_NO_PAST));
	return news;
}

bool mz_pasts_marked(const struct mz_pasts *pasts, uint32_t thread, uint32_t past)
{
	if (past) return pasts->pasts[past - 1].marked;
	return thread < pasts->marked_capacity && pasts->marked_first[thread];
}

size_t mz_pasts_bytes(const struct mz_pasts *pasts)
{
	return pasts->pasts_capacity * sizeof *pasts->pasts + pasts->words_capacity * sizeof *pasts->words +
	       pasts->numbers.capacity * sizeof *pasts->numbers.slots + pasts->first_capacity * sizeof *pasts->first;
}
