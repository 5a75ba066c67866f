/* SPDX-License-Identifier: MIT
 *
 * Known states: what is added is known from then on, in every process, whatever happens to whoever added it.
 */
#include "base/hash.h"
#include "explorer/states.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MUCH ((size_t)64 << 20)

static const struct mz_origin first = {MZ_NO_STATE, 0, 0, 0};

static struct mz_key key_of(uint64_t n)
{
	return (struct mz_key){mz_mix(n), mz_mix(n + 1000000007)};
}

static enum mz_added add(struct mz_states_user *user, uint64_t n, const struct mz_origin *origin, uint32_t *state)
{
	struct mz_frontier frontier = mz_states_frontier(user);
	return frontier.add(frontier.self, key_of(n), NULL, 0, origin, state);
}

static bool take(struct mz_states_user *user, uint32_t *state)
{
	struct mz_frontier frontier = mz_states_frontier(user);
	return frontier.take(frontier.self, state);
}

static uint32_t lost(struct mz_states_memory *memory, uint32_t worker, uint8_t most)
{
	uint32_t state;
	assert_true(mz_states_lose_worker(memory, worker, most, &state));
	return state;
}

static void done(struct mz_states_user *user, uint32_t state)
{
	struct mz_frontier frontier = mz_states_frontier(user);
	frontier.done(frontier.self, state);
}

/* ---- one process ---- */

static void test_first_come_first_served(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, MUCH, false), 0);
	struct mz_states_user user = {.states = memory.states};
	uint32_t state, again;
	for (uint64_t n = 0; n < 5000; n++) {
		const struct mz_origin origin = {n ? (uint32_t)n - 1 : MZ_NO_STATE, 3, 2, 1};
		assert_int_equal(add(&user, n, &origin, &state), MZ_ADDED_NEW);
		assert_int_equal(state, n);
		assert_int_equal(add(&user, n, &origin, &again), MZ_ADDED_KNOWN);
		assert_int_equal(again, n);
	}
	struct mz_frontier frontier = mz_states_frontier(&user);
	struct mz_origin origin = frontier.origin(frontier.self, 77);
	assert_int_equal(origin.parent, 76);
	assert_int_equal(origin.thread, 3);
	assert_int_equal(origin.choice, 1);
	assert_int_equal(frontier.depth(frontier.self, 77), 156);
	for (uint32_t n = 0; n < 5000; n++) {
		assert_true(take(&user, &state));
		assert_int_equal(state, n);
		assert_int_equal(mz_states_counts(memory.states).left, 5000 - n);
		done(&user, state);
	}
	assert_false(take(&user, &state));
	mz_states_close(&memory);
}

static void test_bytes_decide(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, MUCH, true), 0);
	struct mz_states_user user = {.states = memory.states};
	struct mz_frontier frontier = mz_states_frontier(&user);
	uint8_t bytes[1000] = {0};
	uint32_t states[3], again;
	struct mz_key same = {1, 2};
	assert_int_equal(frontier.add(frontier.self, same, bytes, 1000, &first, &states[0]), MZ_ADDED_NEW);
	bytes[999] = 1; /* the same key, other bytes */
	assert_int_equal(frontier.add(frontier.self, same, bytes, 1000, &first, &states[1]), MZ_ADDED_NEW);
	assert_int_equal(frontier.add(frontier.self, same, bytes, 999, &first, &states[2]), MZ_ADDED_NEW);
	assert_int_equal(frontier.add(frontier.self, same, bytes, 1000, &first, &again), MZ_ADDED_KNOWN);
	assert_int_equal(again, states[1]);
	bytes[999] = 0;
	assert_int_equal(frontier.add(frontier.self, same, bytes, 1000, &first, &again), MZ_ADDED_KNOWN);
	assert_int_equal(again, states[0]);
	mz_states_close(&memory);
}

/* Most of a state is as it was in others, and is kept once. */
static void test_bytes_are_shared(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, MUCH, true), 0);
	struct mz_states_user user = {.states = memory.states};
	struct mz_frontier frontier = mz_states_frontier(&user);
	static uint8_t bytes[65536];
	uint32_t state;
	for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)mz_mix(i);
	uint64_t before = 0;
	for (uint64_t n = 0; n < 200; n++) {
		if (n == 1) before = mz_states_counts(memory.states).bytes;
		memcpy(bytes + 30000, &n, sizeof n);
		assert_int_equal(frontier.add(frontier.self, key_of(n), bytes, sizeof bytes, &first, &state),
		                 MZ_ADDED_NEW);
	}
	assert_true(mz_states_counts(memory.states).bytes - before < 199 * 2500);
	mz_states_close(&memory);
}

static void test_full(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, 100000, false), 0);
	struct mz_states_user user = {.states = memory.states};
	uint32_t state;
	uint64_t n = 0;
	while (add(&user, n, &first, &state) == MZ_ADDED_NEW) n++;
	assert_true(n > 500 && n < 2000);
	assert_int_equal(add(&user, n, &first, &state), MZ_ADDED_FULL);
	assert_int_equal(add(&user, n - 1, &first, &state), MZ_ADDED_KNOWN); /* nothing is lost */
	assert_true(mz_states_counts(memory.states).bytes <= 100000);
	assert_int_equal(mz_states_counts(memory.states).states, n);
	mz_states_close(&memory);
}

static void test_own_states_first(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, MUCH, false), 0);
	struct mz_states_user one = {.states = memory.states, .worker = 1};
	struct mz_states_user two = {.states = memory.states, .worker = 2};
	uint32_t a, b, c, state;
	add(&one, 1, &first, &a);
	add(&one, 2, &first, &b);
	add(&two, 3, &first, &c);
	assert_true(take(&two, &state) && state == c);
	assert_true(take(&two, &state) && state == a);
	assert_true(take(&one, &state) && state == b);
	_Atomic uint32_t stop = 1; /* others are at work, but it is time */
	one.stop = &stop;
	assert_false(take(&one, &state));
	mz_states_close(&memory);
}

static void test_threads(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	static struct mz_session_thread threads[MZ_SESSION_THREADS];
	assert_int_equal(mz_states_open(&memory, MUCH, false), 0);
	assert_int_equal(mz_states_number(memory.states, (struct mz_session_thread){0, 1}), 1);
	assert_int_equal(mz_states_number(memory.states, (struct mz_session_thread){1, 3}), 2);
	assert_int_equal(mz_states_number(memory.states, (struct mz_session_thread){0, 1}), 1);
	assert_int_equal(mz_states_thread(memory.states, 2).parent, 1);
	assert_int_equal(mz_states_thread(memory.states, 2).nth, 3);
	assert_int_equal(mz_states_threads(&memory, threads), 3);
	assert_int_equal(threads[2].parent, 1);
	for (uint32_t n = 2; n <= MZ_SESSION_THREADS - 2; n++)
		assert_int_equal(mz_states_number(memory.states, (struct mz_session_thread){0, n}), n + 1);
	assert_int_equal(mz_states_number(memory.states, (struct mz_session_thread){0, MZ_SESSION_THREADS}),
	                 MZ_NO_THREAD);
	mz_states_close(&memory);
}

/* ---- workers that die ---- */

static void test_lost_twice_is_lost(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, MUCH, false), 0);
	struct mz_states_user user = {.states = memory.states, .worker = 3};
	uint32_t a, b, state;
	add(&user, 1, &first, &a);
	add(&user, 2, &first, &b);
	assert_true(take(&user, &state));
	assert_int_equal(lost(&memory, 3, 1), a);
	assert_int_equal(lost(&memory, 3, 1), MZ_NO_STATE);
	assert_true(take(&user, &state) && state == b);
	done(&user, b);
	assert_true(take(&user, &state) && state == a);
	assert_int_equal(mz_states_counts(memory.states).aside, 0);
	assert_int_equal(lost(&memory, 3, 1), a);
	assert_int_equal(mz_states_counts(memory.states).aside, 1);
	assert_false(take(&user, &state));
	add(&user, 3, &first, &a);
	assert_true(take(&user, &state));
	assert_int_equal(lost(&memory, 3, 0), a); /* at once, if that is said */
	assert_int_equal(mz_states_counts(memory.states).aside, 2);
	mz_states_close(&memory);
}

/* From state n, of LAST, 2n + 1 and 2n + 2 are reached: all of them from the first. Who n is, is in its origin. */
#define LAST 200000U

static enum mz_added add_number(const struct mz_frontier *frontier, uint32_t parent, uint32_t n)
{
	const struct mz_origin origin = {parent, 0, 1, n};
	uint8_t bytes[64] = {0};
	uint32_t state;
	memcpy(bytes, &n, sizeof n);
	return frontier->add(frontier->self, key_of(n), bytes, sizeof bytes, &origin, &state);
}

static void expand(struct mz_states_user *user, unsigned most)
{
	struct mz_frontier frontier = mz_states_frontier(user);
	uint32_t state;
	while (most-- && frontier.take(frontier.self, &state)) {
		uint32_t n = frontier.origin(frontier.self, state).choice;
		for (uint32_t m = 2 * n + 1; m <= 2 * n + 2 && m <= LAST; m++) add_number(&frontier, state, m);
		frontier.done(frontier.self, state);
	}
}

static pid_t start_worker(struct mz_states *states, uint32_t worker)
{
	pid_t child = fork();
	if (child) return child;
	struct mz_states_user user = {.states = states, .worker = worker};
	expand(&user, UINT32_MAX);
	_exit(0);
}

/* Whoever dies, at any time: in the end all states are known and done.  */
static void test_workers_are_killed(void **exact)
{
	struct mz_states_memory memory;
	assert_int_equal(mz_states_open(&memory, (size_t)256 << 20, *exact != NULL), 0);
	struct mz_states_user user = {.states = memory.states, .worker = 0};
	struct mz_frontier frontier = mz_states_frontier(&user);
	assert_int_equal(add_number(&frontier, MZ_NO_STATE, 0), MZ_ADDED_NEW);
	expand(&user, 2000);
	for (unsigned round = 0; round < 40; round++) {
		pid_t children[2];
		for (uint32_t w = 0; w < 2; w++) children[w] = start_worker(memory.states, w + 1);
		usleep(500 + round * 97);
		for (uint32_t w = 0; w < 2; w++) {
			kill(children[w], SIGKILL);
			waitpid(children[w], NULL, 0);
			lost(&memory, w + 1, UINT8_MAX);
		}
	}
	expand(&user, UINT32_MAX);
	struct mz_states_counts counts = mz_states_counts(memory.states);
	assert_int_equal(counts.aside, 0);
	assert_int_equal(counts.left, 0);
	assert_int_equal(counts.states, LAST + 1);
	mz_states_close(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_first_come_first_served),
	    cmocka_unit_test(test_bytes_decide),
	    cmocka_unit_test(test_bytes_are_shared),
	    cmocka_unit_test(test_full),
	    cmocka_unit_test(test_own_states_first),
	    cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_lost_twice_is_lost),
	    cmocka_unit_test(test_workers_are_killed),
	    cmocka_unit_test_prestate(test_workers_are_killed, (void *)1),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
