/* SPDX-License-Identifier: MIT */
#include "engine/backtracking/trunk_posts.h"
#include "base/alloc.h"
#include "base/array.h"

#define LATEST_PLACES 32

void mz_trunk_posts_release(struct mz_trunk_posts *posts)
{
	mz_free(posts->at);
	mz_free(posts->alive.at);
	mz_free(posts->places);
	mz_free(posts->elements);
	mz_free(posts->late);
	mz_interned_release(&posts->events);
	mz_sleep_release(&posts->sleep);
	mz_sequence_release(&posts->sequence);
	*posts = (struct mz_trunk_posts){0};
}

void mz_trunk_posts_clear(struct mz_trunk_posts *posts)
{
	posts->count = posts->nplaces = posts->nelements = posts->alive.count = 0;
}

/* Makes an empty set on top of those of the other places. */
static struct mz_sleep_set set_on_top(struct mz_trunk_posts *posts)
{
	if (posts->nplaces == 0) return mz_sleep_bottom(&posts->sleep);
	const struct mz_sleep_set *below = &posts->places[posts->nplaces - 1].asleep;
	size_t top = below->first + below->count;
	return (struct mz_sleep_set){.first = top, .top = top, .accesses = below->accesses};
}

/* Finds the place to the right of a branch, which has the same sleep set each time, among the latest ones, or makes it. Returns
 * false when there is no memory. */
static bool find_place(struct mz_trunk_posts *posts, struct mz_wakeup *branch, const struct mz_sleep *sleep,
                       const struct mz_sleep_set *asleep, uint32_t *place)
{
	for (size_t n = posts->nplaces; n > 0 && n + LATEST_PLACES > posts->nplaces; n--) {
		*place = (uint32_t)n - 1;
		if (posts->places[n - 1].branch == branch) return true;
	}
	if (!mz_array_reserve(&posts->places, &posts->places_capacity, posts->nplaces + 1)) return false;
	struct mz_post_place *made = &posts->places[posts->nplaces];
	*made = (struct mz_post_place){branch, set_on_top(posts)};
	for (size_t n = 0; n < asleep->count; n++)
		if (!mz_sleep_add(&posts->sleep, &made->asleep, mz_sleep_at(sleep, asleep, n))) return false;
	*place = (uint32_t)posts->nplaces++;
	return true;
}

/* Keeps the elements of a sequence behind those of the other posts. Returns false when there is no memory. */
static bool keep(struct mz_trunk_posts *posts, const struct mz_sequence *sequence)
{
	if (!mz_array_reserve(&posts->elements, &posts->elements_capacity, posts->nelements + sequence->count))
		return false;
	for (size_t n = 0; n < sequence->count; n++) {
		const struct mz_event *kept = mz_interned_event(&posts->events, sequence->at[n].event);
		if (!kept) return false;
		posts->elements[posts->nelements + n] =
		    (struct mz_element){.event = kept, .rival = sequence->at[n].rival};
	}
	posts->nelements += sequence->count;
	return true;
}

static bool add(struct mz_trunk_posts *posts, const struct mz_post *post, const struct mz_sequence *sequence)
{
	size_t element = posts->nelements;
	if (!mz_array_reserve(&posts->at, &posts->capacity, posts->count + 1) || !keep(posts, sequence)) return false;
	struct mz_post *added = &posts->at[posts->count++];
	*added = *post;
	added->element = element;
	added->length = sequence->count;
	return true;
}

bool mz_trunk_post(struct mz_trunk_posts *posts, struct mz_wakeup *branch, const struct mz_sleep *sleep,
                   const struct mz_sleep_set *asleep, const struct mz_sequence *sequence,
                   const struct mz_posted_race *race)
{
	uint32_t number = (uint32_t)posts->count;
	struct mz_post post = {.race = *race, .head = number, .latest = number};
	struct mz_events *alive = &posts->alive;
	if (!find_place(posts, branch, sleep, asleep, &post.place) || !add(posts, &post, sequence)) return false;
	if (race->second == MZ_NONE) return true; /* it was made from all of the execution */
	if (!mz_array_reserve(&alive->at, &alive->capacity, alive->count + 1)) return false;
	alive->at[alive->count++] = number;
	return true;
}

/* Returns whether two posts have the same elements. */
static bool is_same(const struct mz_trunk_posts *posts, const struct mz_post *a, const struct mz_post *b)
{
	size_t n = 0;
	if (a->length != b->length) return false;
	while (n < a->length && posts->elements[a->element + n].event == posts->elements[b->element + n].event) n++;
	return n == a->length;
}

/* Adds a sequel to the post with that number. Returns false when there is no memory. */
static bool add_sequel(struct mz_trunk_posts *posts, size_t number, const struct mz_sequence *sequence)
{
	struct mz_post post = posts->at[number];
	if (!add(posts, &post, sequence)) return false;
	struct mz_post *head = &posts->at[number];
	const struct mz_post *added = &posts->at[posts->count - 1];
	if (is_same(posts, &posts->at[head->latest], added)) {
		posts->nelements -= added->length;
		posts->count--;
	} else {
		head->latest = (uint32_t)posts->count - 1;
	}
	return true;
}

/* Returns whether something is new in the execution that the sequence of a race does not have. */
static bool has_more(const struct mz_execution *x, uint32_t fresh, const struct mz_posted_race *race)
{
	uint32_t k = race->end > fresh ? race->end : fresh;
	while (k < x->depth && mz_execution_before(x, race->first, k)) k++;
	return k < x->depth;
}

bool mz_trunk_posts_add_sequels(struct mz_trunk_posts *posts, struct mz_execution *x, uint32_t fresh,
                                struct mz_reversal *reversal)
{
	for (size_t n = 0; n < posts->alive.count; n++) {
		const uint32_t number = posts->alive.at[n];
		const struct mz_posted_race posted = posts->at[number].race;
		if (!has_more(x, fresh, &posted)) continue;
		const struct mz_race race = {posted.first, posted.second, mz_execution_event(x, posted.second)->thread,
		                             NULL};
		if (!mz_reversal_make(reversal, x, &race, x->depth)) return false;
		reversal->moved.choice = posted.choice;
		if (!add_sequel(posts, number, &reversal->sequence)) return false;
	}
	return true;
}

void mz_trunk_posts_forget(struct mz_trunk_posts *posts, uint32_t depth)
{
	struct mz_events *alive = &posts->alive;
	size_t kept = 0;
	for (size_t n = 0; n < alive->count; n++)
		if (posts->at[alive->at[n]].race.end <= depth) alive->at[kept++] = alive->at[n];
	alive->count = kept;
}

/* Inserts one post. Returns false when there is no memory. */
static bool insert(struct mz_trunk_posts *posts, struct mz_wakeups *wakeups, const struct mz_post *post)
{
	const struct mz_post_place *place = &posts->places[post->place];
	const struct mz_wakeup_origin origin = {0};
	struct mz_wakeup_result result;
	if (!mz_sequence_clear(&posts->sequence, post->length)) return false;
	for (size_t n = 0; n < post->length; n++) {
		const struct mz_element *element = &posts->elements[post->element + n];
		mz_sequence_push(&posts->sequence, element->event, element->rival);
	}
	if (!mz_wakeups_insert(wakeups, &place->branch->next, &posts->sleep, &place->asleep, &posts->sequence, &origin,
	                       &result))
		return false;
	posts->at[post->head].guessed |= result.guessed;
	return true;
}

static bool note_late(struct mz_trunk_posts *posts)
{
	for (size_t n = 0; n < posts->alive.count; n++) {
		const struct mz_post *post = &posts->at[posts->alive.at[n]];
		if (!post->guessed) continue;
		if (!mz_array_reserve(&posts->late, &posts->late_capacity, posts->nlate + 1)) return false;
		posts->late[posts->nlate++] = post->race;
	}
	return true;
}

bool mz_trunk_posts_insert(struct mz_trunk_posts *posts, struct mz_wakeups *wakeups)
{
	for (size_t n = 0; n < posts->count; n++) {
		const struct mz_post *post = &posts->at[n];
		if (post->head != n && !posts->at[post->head].guessed) continue;
		if (!insert(posts, wakeups, post)) return false;
	}
	bool right = note_late(posts);
	mz_trunk_posts_clear(posts);
	return right;
}
