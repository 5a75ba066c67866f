/* SPDX-License-Identifier: MIT
 *
 * Insertion into wakeup trees of branches whose threads have alternatives, on trees made by hand: programs come to such
 * trees too rarely to be generated. A sequence that is independent of one alternative of a thread has to be explored
 * beside it too, unless all the others are there; and those are counted anew behind whatever touches what they touch.
 *
 * And posts (trunk_posts.h) that come so late that something covers them by a guess.
 */
#include "base/bug.h"
#include "engine/backtracking/trunk_posts.h"
#include "engine/backtracking/wakeup.h"
#include "engine/execution/execution.h"

enum { SIGNALLER, WAITER, WRITER };
enum { CONDITION = 8, WORD = 16 };

static const struct mz_access signals = {.object = CONDITION, .mask = 0xff, .kind = MZ_WRITE};
static const struct mz_access writes = {.object = WORD, .mask = 0xff, .kind = MZ_WRITE};

static struct mz_event event_of(uint32_t thread, enum mz_op op, const struct mz_access *access, uint32_t alternatives)
{
	struct mz_event event = {
	    .thread = thread, .alternatives = alternatives, .op = (uint16_t)op, .naccesses = 1, .accesses = access};
	mz_event_summarize(&event);
	return event;
}

struct forest {
	struct mz_wakeups wakeups;
	struct mz_wakeup *tree;
};

static struct mz_wakeup *grow(struct forest *forest, struct mz_wakeup **tree, struct mz_event event)
{
	MZ_REQUIRE(mz_wakeups_append(&forest->wakeups, tree, &event));
	struct mz_wakeup *last = *tree;
	while (last->next) last = last->next;
	return last;
}

/* Inserts a write that nothing conflicts with, where nothing sleeps. */
static struct mz_wakeup_result insert_write(struct forest *forest)
{
	const struct mz_event event = event_of(WRITER, MZ_OP_STORE, &writes, 1);
	struct mz_sleep sleep = {0};
	const struct mz_sleep_set asleep = mz_sleep_bottom(&sleep);
	struct mz_sequence sequence = {0};
	const struct mz_wakeup_origin origin = {0};
	struct mz_wakeup_result result;
	MZ_REQUIRE(mz_sequence_clear(&sequence, 1));
	mz_sequence_push(&sequence, &event, MZ_SEQUENCE_NOTHING);
	MZ_REQUIRE(mz_wakeups_insert(&forest->wakeups, &forest->tree, &sleep, &asleep, &sequence, &origin, &result));
	mz_sequence_release(&sequence);
	mz_sleep_release(&sleep);
	return result;
}

static void insert_beside(struct forest *forest)
{
	const struct mz_wakeup_result result = insert_write(forest);
	MZ_REQUIRE(!result.covered && result.guessed);
}

static bool is_write(const struct mz_wakeup *branch)
{
	return branch && branch->event->thread == WRITER && !branch->first;
}

static void forest_release(struct forest *forest)
{
	mz_wakeups_free_tree(&forest->wakeups, forest->tree);
	mz_wakeups_release(&forest->wakeups);
}

/* One of three alternatives of a signal; and behind somebody who begins to wait, one of two. */
static void test_other_branch(void)
{
	struct forest forest = {0};
	grow(&forest, &forest.tree, event_of(SIGNALLER, MZ_OP_SIGNAL, &signals, 3));
	struct mz_wakeup *waits = grow(&forest, &forest.tree, event_of(WAITER, MZ_OP_WAIT, &signals, 1));
	const struct mz_wakeup *again = grow(&forest, &waits->first, event_of(SIGNALLER, MZ_OP_SIGNAL, &signals, 2));
	insert_beside(&forest);
	MZ_REQUIRE(is_write(again->next) && !again->next->next);
	MZ_REQUIRE(!waits->next);
	forest_release(&forest);
}

/* One of two alternatives of a signal, and behind it one of two of the next signal of that thread. */
static void test_same_thread(void)
{
	struct forest forest = {0};
	struct mz_wakeup *first = grow(&forest, &forest.tree, event_of(SIGNALLER, MZ_OP_SIGNAL, &signals, 2));
	const struct mz_wakeup *second = grow(&forest, &first->first, event_of(SIGNALLER, MZ_OP_SIGNAL, &signals, 2));
	insert_beside(&forest);
	MZ_REQUIRE(is_write(second->next) && !second->next->next);
	MZ_REQUIRE(is_write(first->next) && !first->next->next);
	forest_release(&forest);
}

/* Both alternatives are there: what is independent of them is below, and nowhere else. */
static void test_all_there(void)
{
	struct forest forest = {0};
	struct mz_event signal = event_of(SIGNALLER, MZ_OP_SIGNAL, &signals, 2);
	struct mz_wakeup *first = grow(&forest, &forest.tree, signal);
	signal.choice = 1;
	struct mz_wakeup *second = grow(&forest, &forest.tree, signal);
	const struct mz_wakeup *waits = grow(&forest, &first->first, event_of(WAITER, MZ_OP_WAIT, &writes, 1));
	insert_beside(&forest);
	MZ_REQUIRE(is_write(waits->next) && !second->first && !second->next);
	forest_release(&forest);
}

/* The write is there, and a branch goes on with one of three alternatives: the write alone stands for the others, too. Once they
 * are there it is covered; and so it is if it ends at a leaf, or goes on with what has no alternatives. */
static void test_goes_on(void)
{
	struct forest forest = {0};
	struct mz_wakeup *write = grow(&forest, &forest.tree, event_of(WRITER, MZ_OP_STORE, &writes, 1));
	MZ_REQUIRE(insert_write(&forest).covered);
	struct mz_wakeup *waits = grow(&forest, &write->first, event_of(WAITER, MZ_OP_WAIT, &writes, 1));
	MZ_REQUIRE(insert_write(&forest).covered && !waits->next && !waits->first);
	const struct mz_wakeup *signal = grow(&forest, &waits->first, event_of(SIGNALLER, MZ_OP_SIGNAL, &signals, 3));
	MZ_REQUIRE(!insert_write(&forest).covered);
	for (uint32_t choice = 0; choice < 3; choice++, signal = signal->next)
		MZ_REQUIRE(signal->event->thread == SIGNALLER && signal->event->choice == choice && !signal->first);
	MZ_REQUIRE(!signal && !waits->next && !write->next && insert_write(&forest).covered);
	forest_release(&forest);
}

/* Two threads write a word, and then a third one writes another word. The reversal of the race is posted when the third
 * write is not known yet. Meanwhile another worker adds a branch that writes the other word: it covers the reversal as
 * long as nothing else writes that word. `keeps` is how many events the next execution has in common with this one. */
static void post_late(struct forest *forest, struct mz_trunk_posts *posts, uint32_t keeps)
{
	enum { FIRST, SECOND, THIRD, OTHER };
	static const struct mz_access word = {.object = WORD, .mask = 0xff, .kind = MZ_WRITE};
	static const struct mz_access other = {.object = CONDITION, .mask = 0xff, .kind = MZ_WRITE};
	const struct mz_event events[] = {event_of(FIRST, MZ_OP_STORE, &word, 1),
	                                  event_of(SECOND, MZ_OP_STORE, &word, 1),
	                                  event_of(THIRD, MZ_OP_STORE, &other, 1)};
	const struct mz_posted_race posted = {0, 1, 2, 0};
	const struct mz_race race = {0, 1, SECOND, NULL};
	struct mz_execution x;
	struct mz_reversal reversal = {0};
	struct mz_sleep sleep = {0};
	const struct mz_sleep_set asleep = mz_sleep_bottom(&sleep);
	mz_execution_init(&x, true);
	for (size_t n = 0; n < 3; n++) mz_execution_observe(&x, &events[n]);
	struct mz_wakeup *own = grow(forest, &forest->tree, events[0]);
	MZ_REQUIRE(mz_reversal_make(&reversal, &x, &race, 2));
	MZ_REQUIRE(mz_trunk_post(posts, own, &sleep, &asleep, &reversal.sequence, &posted));
	MZ_REQUIRE(mz_trunk_posts_add_sequels(posts, &x, 1, &reversal));
	grow(forest, &forest->tree, event_of(OTHER, MZ_OP_STORE, &other, 1));
	mz_trunk_posts_forget(posts, keeps);
	MZ_REQUIRE(mz_trunk_posts_insert(posts, &forest->wakeups));
	mz_reversal_release(&reversal);
	mz_sleep_release(&sleep);
	mz_execution_release(&x);
}

/* The longer sequence is added beside the branch that covers the shorter one. */
static void test_late_post(void)
{
	struct forest forest = {0};
	struct mz_trunk_posts posts = {0};
	post_late(&forest, &posts, 1);
	const struct mz_wakeup *covers = forest.tree->next, *added = covers->next;
	MZ_REQUIRE(added && !added->next && !covers->first);
	MZ_REQUIRE(added->event->thread == 2 && added->first && added->first->event->thread == 1);
	MZ_REQUIRE(posts.count == 0 && posts.nlate == 0);
	mz_trunk_posts_release(&posts);
	forest_release(&forest);
}

/* The race is handed back as long as executions have it: what comes next may refute the guess, too. */
static void test_late_race(void)
{
	struct forest forest = {0};
	struct mz_trunk_posts posts = {0};
	post_late(&forest, &posts, 2);
	MZ_REQUIRE(posts.nlate == 1 && posts.late[0].first == 0 && posts.late[0].second == 1 && posts.late[0].end == 2);
	mz_trunk_posts_release(&posts);
	forest_release(&forest);
}

int main(void)
{
	test_other_branch();
	test_same_thread();
	test_all_there();
	test_goes_on();
	test_late_post();
	test_late_race();
	return 0;
}
