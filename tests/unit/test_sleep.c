/* SPDX-License-Identifier: MIT
 *
 * engine/backtracking/sleep.h: whoever goes back gives back all that is below, whether something is added there or not.
 */
#include "base/random.h"
#include "engine/backtracking/sleep.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define DEPTHS 12
#define ROUNDS 20000

struct walk {
	struct mz_sleep sleep;
	struct mz_sleep_set sets[DEPTHS];
	struct {
		size_t count;
		struct mz_arena_mark accesses;
	} marks[DEPTHS]; /* of the stack when the depth was the deepest */
	uint32_t members[DEPTHS][DEPTHS];
	uint32_t depth;
};

/* Returns an event of a thread on an object of its own, or on one that all threads write to. */
static struct mz_event event_of(uint32_t thread, struct mz_access *access, bool conflicts)
{
	*access = (struct mz_access){.object = conflicts ? 1 : thread + 2, .kind = MZ_WRITE, .mask = 1};
	struct mz_event event = {.thread = thread, .alternatives = 1, .naccesses = 1, .accesses = access};
	mz_event_summarize(&event);
	return event;
}

/* Goes one deeper, and lets a thread sleep there now and then. */
static void go_deeper(struct walk *walk, struct mz_random *random)
{
	struct mz_access access;
	uint32_t depth = walk->depth++;
	struct mz_sleep_set *set = &walk->sets[depth];
	const struct mz_event step = event_of(DEPTHS, &access, mz_random_below(random, 4) == 0);
	if (depth == 0)
		*set = mz_sleep_bottom(&walk->sleep);
	else
		assert_true(mz_sleep_pass(&walk->sleep, set - 1, &step, set));
	const struct mz_event sleeper = event_of(depth, &access, mz_random_below(random, 2));
	if (mz_random_below(random, 2)) assert_true(mz_sleep_add(&walk->sleep, set, &sleeper));
	for (size_t n = 0; n < set->count; n++) walk->members[depth][n] = mz_sleep_at(&walk->sleep, set, n)->thread;
	walk->marks[depth].count = walk->sleep.count;
	walk->marks[depth].accesses = mz_arena_mark(&walk->sleep.accesses);
}

static void go_back(struct walk *walk, uint32_t depth)
{
	walk->depth = depth + 1;
	mz_sleep_cut(&walk->sleep, &walk->sets[depth]);
	assert_int_equal(walk->sleep.count, walk->marks[depth].count);
	const struct mz_arena_mark mark = mz_arena_mark(&walk->sleep.accesses);
	assert_ptr_equal(mark.chunk, walk->marks[depth].accesses.chunk);
	assert_int_equal(mark.used, walk->marks[depth].accesses.used);
}

static void check_members(const struct walk *walk)
{
	for (uint32_t depth = 0; depth < walk->depth; depth++)
		for (size_t n = 0; n < walk->sets[depth].count; n++)
			assert_int_equal(mz_sleep_at(&walk->sleep, &walk->sets[depth], n)->thread,
			                 walk->members[depth][n]);
}

static void test_the_stack_does_not_grow(void **unused)
{
	(void)unused;
	struct walk walk = {0};
	struct mz_random random = {.state = 1};
	for (int round = 0; round < ROUNDS; round++) {
		while (walk.depth < DEPTHS) go_deeper(&walk, &random);
		check_members(&walk);
		uint32_t depth = mz_random_below(&random, DEPTHS + 1);
		if (depth == DEPTHS)
			walk.depth = 0; /* begins at the bottom */
		else
			go_back(&walk, depth);
	}
	assert_true(walk.sleep.capacity <= DEPTHS * DEPTHS);
	mz_sleep_release(&walk.sleep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_stack_does_not_grow)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
