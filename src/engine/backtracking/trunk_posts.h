/* SPDX-License-Identifier: MIT
 *
 * Posts: sequences that a worker of `optimal` has for the trunk, collected so that it takes the lock once for many.
 *
 * A worker whose posts come late is like one that is slow: all it does up to the moment at which its posts are inserted
 * might as well have happened then. Only one thing needs care. A sequence ends where its race does. If it is covered by a
 * *guess* (sequence.h), it has to be tried again, made longer by later events, in each execution that still has the race
 * (optimal.c). Whether it is covered by a guess is known only when it is inserted, and these executions may be over by
 * then. So as long as a post waits, each execution that still has its race adds a *sequel*: the same sequence with all
 * the events of that execution. When the posts are inserted, sequels count only if the post was covered by a guess. If
 * the race is still there then, the strategy goes on to try it again (`late`).
 *
 * Invariants: a post is a sequence that could be executed at its node, and that nothing in the trunk covered when it was
 * made; sequels come after what they belong to.
 */
#ifndef MZ_ENGINE_BACKTRACKING_TRUNK_POSTS_H
#define MZ_ENGINE_BACKTRACKING_TRUNK_POSTS_H

#include "engine/backtracking/wakeup.h"
#include "engine/reversal/race.h"

/* How many elements posts may have together before the worker should have them inserted. */
#define MZ_POSTS_MOST 65536

/* The race of a post, and how many events its sequence was made from. */
struct mz_posted_race {
	uint32_t first, second, end;
	uint32_t choice; /* of the event that moves */
};

struct mz_post {
	struct mz_posted_race race;
	uint32_t place;         /* at which of `places` it is to be inserted */
	uint32_t head;          /* the post of which this is a sequel, or the post itself */
	uint32_t latest;        /* its latest sequel, or the post itself */
	size_t element, length; /* its elements */
	bool guessed;           /* it was inserted, and is covered by a guess */
};

/* Where posts are inserted: to the right of a branch of the trunk, with what sleeps there. */
struct mz_post_place {
	struct mz_wakeup *branch;
	struct mz_sleep_set asleep;
};

/* All zero is empty and ready. */
struct mz_trunk_posts {
	struct mz_post *at;
	size_t count, capacity;
	/* numbers of the posts whose events are still those of the execution: what they were made from, and no sequels */
	struct mz_events alive;
	struct mz_post_place *places;
	size_t nplaces, places_capacity;
	struct mz_element *elements; /* of all posts; their events are in `events` */
	size_t nelements, elements_capacity;
	struct mz_interned events;
	struct mz_sleep sleep;
	struct mz_sequence sequence; /* scratch */
	/* races whose posts were inserted and are covered by guesses, while the races are still in the execution */
	struct mz_posted_race *late;
	size_t nlate, late_capacity;
};

void mz_trunk_posts_release(struct mz_trunk_posts *posts);

/* Adds a sequence that is to be inserted to the right of `branch`, at a node with that sleep set. Returns false when there
 * is no memory. */
bool mz_trunk_post(struct mz_trunk_posts *posts, struct mz_wakeup *branch, const struct mz_sleep *sleep,
                   const struct mz_sleep_set *asleep, const struct mz_sequence *sequence,
                   const struct mz_posted_race *race);

/* Adds sequels to the posts whose races a complete execution has, which is new from event `fresh` on. Returns false when there
 * is no memory. */
bool mz_trunk_posts_add_sequels(struct mz_trunk_posts *posts, struct mz_execution *x, uint32_t fresh,
                                struct mz_reversal *reversal);

/* Says that the execution keeps only its first `depth` events. */
void mz_trunk_posts_forget(struct mz_trunk_posts *posts, uint32_t depth);

/* Inserts all posts, with the trunk's lock held, and forgets them. Returns false when there is no memory. */
bool mz_trunk_posts_insert(struct mz_trunk_posts *posts, struct mz_wakeups *wakeups);

/* Forgets all posts. */
void mz_trunk_posts_clear(struct mz_trunk_posts *posts);

#endif
