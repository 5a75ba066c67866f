/* SPDX-License-Identifier: MIT
 *
 * Known states: what is added is known from then on, in every process, whatever happens to whoever added it.
 */
#include "base/alloc.h"
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

/* A worker, and what it was told of the last state that it has added. */
struct worker {
	struct mz_states_user user;
	struct mz_frontier frontier;
	uint32_t told, state;
	bool is_new;
};

static void told(void *self, uint32_t ticket, uint32_t state, bool is_new)
{
	struct worker *worker = self;
	assert_int_equal(ticket, worker->told++);
	worker->state = state;
	worker->is_new = is_new;
}

static void join(struct worker *worker, struct mz_states_memory *memory, uint32_t number)
{
	const struct mz_frontier_client client = {worker, told};
	*worker = (struct worker){.user = {.states = memory->states, .worker = number, .seat = number}};
	worker->frontier = mz_states_frontier(&worker->user);
	mz_states_join(&worker->user);
	worker->frontier.open(worker->frontier.self, &client);
}

static void note(struct worker *worker, struct mz_key key, const void *bytes, size_t size, struct mz_origin origin)
{
	const struct mz_frontier *f = &worker->frontier;
	uint32_t ticket = worker->told + (uint32_t)worker->user.nadditions;
	assert_true(f->add(f->self, key, bytes, size, &origin, ticket));
}

static void done(struct worker *worker, uint32_t state)
{
	assert_true(worker->frontier.done(worker->frontier.self, state, (struct mz_prospect){0}));
}

static void settle(struct worker *worker)
{
	worker->frontier.leave(worker->frontier.self);
}

/* Adds a state, and settles that at once; `worker->state` is its number. */
static bool add_bytes(struct worker *worker, struct mz_key key, const void *bytes, size_t size, struct mz_origin origin)
{
	note(worker, key, bytes, size, origin);
	done(worker, MZ_NO_STATE);
	settle(worker);
	return worker->is_new;
}

/* The first state that is added is the first of all. */
static const struct mz_origin *origin_of_next(struct worker *worker)
{
	static const struct mz_origin second = {0, 0, 1, 0};
	return worker->frontier.count(worker->frontier.self) ? &second : &first;
}

static bool add(struct worker *worker, uint64_t n)
{
	return add_bytes(worker, key_of(n), NULL, 0, *origin_of_next(worker));
}

static bool take(struct worker *worker, uint32_t *state)
{
	return worker->frontier.take(worker->frontier.self, state) == MZ_TAKEN;
}

static uint32_t lost(struct mz_states_memory *memory, uint32_t worker, uint8_t most)
{
	uint32_t state;
	assert_true(mz_states_lose_worker(memory, worker, most, &state));
	return state;
}

static void part(struct worker *worker, struct mz_states_memory *memory)
{
	mz_states_user_release(&worker->user);
	mz_states_close(memory);
}

/* ---- one process ---- */

static void test_first_come_first_served(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker worker;
	uint32_t state;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	join(&worker, &memory, 0);
	for (uint32_t n = 0; n < 5000; n++) {
		const struct mz_origin origin = {n ? n - 1 : MZ_NO_STATE, 3, 2, 1};
		assert_false(worker.frontier.knows(worker.frontier.self, key_of(n), NULL, 0));
		assert_true(add_bytes(&worker, key_of(n), NULL, 0, origin));
		assert_int_equal(worker.state, n);
		assert_true(worker.frontier.knows(worker.frontier.self, key_of(n), NULL, 0));
		assert_false(add_bytes(&worker, key_of(n), NULL, 0, origin));
		assert_int_equal(worker.state, n);
	}
	struct mz_origin origin = worker.frontier.origin(worker.frontier.self, 77);
	assert_int_equal(origin.parent, 76);
	assert_int_equal(origin.thread, 3);
	assert_int_equal(origin.choice, 1);
	assert_int_equal(worker.frontier.depth(worker.frontier.self, 77), 156);
	uint64_t before = mz_states_counts(memory.states).operations; /* each call of this is one, too */
	for (uint32_t n = 0; n < 5000; n++) {
		assert_true(take(&worker, &state));
		assert_int_equal(state, n);
		done(&worker, state);
	}
	assert_false(take(&worker, &state));
	assert_int_equal(mz_states_counts(memory.states).left, 0);
	assert_true(mz_states_counts(memory.states).operations - before < 100);
	part(&worker, &memory);
}

/* What is added and finished becomes known all together, in the order in which it came. */
static void test_batches(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker one, two;
	uint32_t state;
	struct mz_state_link link;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	join(&one, &memory, 1);
	join(&two, &memory, 2);
	add(&one, 0);
	assert_true(take(&one, &state) && state == 0);
	const struct mz_origin origin = {0, 1, 1, 0};
	for (uint64_t n = 1; n <= 3; n++) note(&one, key_of(n), NULL, 0, origin);
	note(&one, key_of(2), NULL, 0, origin);
	assert_true(one.frontier.knows(one.frontier.self, key_of(3), NULL, 0));
	assert_false(two.frontier.knows(two.frontier.self, key_of(3), NULL, 0));
	assert_int_equal(mz_states_counts(memory.states).states, 1);
	done(&one, 0);
	note(&one, key_of(4), NULL, 0, origin); /* of a state that does not become done: forgotten */
	settle(&one);
	assert_int_equal(one.told, 6);
	assert_int_equal(one.state, MZ_NO_STATE);
	assert_int_equal(mz_states_counts(memory.states).states, 4);
	assert_int_equal(mz_states_counts(memory.states).left, 3);
	assert_true(two.frontier.knows(two.frontier.self, key_of(3), NULL, 0));
	assert_true(one.frontier.link(one.frontier.self, 0, &link) && link.from == 0 && link.to == 2);
	assert_false(one.frontier.link(one.frontier.self, 1, &link));
	mz_states_user_release(&two.user);
	part(&one, &memory);
}

static void test_bytes_decide(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker worker;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, true), 0);
	join(&worker, &memory, 0);
	uint8_t bytes[1000] = {0};
	struct mz_key same = {1, 2};
	assert_true(add_bytes(&worker, same, bytes, 1000, *origin_of_next(&worker)));
	bytes[999] = 1; /* the same key, other bytes */
	assert_true(add_bytes(&worker, same, bytes, 1000, *origin_of_next(&worker)));
	assert_true(add_bytes(&worker, same, bytes, 999, *origin_of_next(&worker)));
	assert_false(add_bytes(&worker, same, bytes, 1000, *origin_of_next(&worker)));
	assert_int_equal(worker.state, 1);
	bytes[999] = 0;
	assert_false(add_bytes(&worker, same, bytes, 1000, *origin_of_next(&worker)));
	assert_int_equal(worker.state, 0);
	part(&worker, &memory);
}

/* Most of a state is as it was in others, and is kept once. */
static void test_bytes_are_shared(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker worker;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, true), 0);
	join(&worker, &memory, 0);
	static uint8_t bytes[65536];
	for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)mz_mix(i);
	uint64_t before = 0;
	for (uint64_t n = 0; n < 200; n++) {
		if (n == 1) before = mz_states_counts(memory.states).bytes;
		memcpy(bytes + 30000, &n, sizeof n);
		assert_true(add_bytes(&worker, key_of(n), bytes, sizeof bytes, *origin_of_next(&worker)));
	}
	assert_true(mz_states_counts(memory.states).bytes - before < 199 * 2500);
	part(&worker, &memory);
}

static void test_full(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker worker;
	uint32_t n = 0, state;
	assert_int_equal(mz_states_open(&memory, 100000, 0, false), 0);
	join(&worker, &memory, 0);
	while (add(&worker, n)) n++;
	assert_true(n > 500 && n < 2000);
	assert_int_equal(worker.state, MZ_NO_STATE);
	assert_false(add(&worker, n - 1)); /* nothing is lost */
	assert_int_equal(worker.state, n - 1);
	assert_true(mz_states_counts(memory.states).bytes <= 100000);
	assert_int_equal(mz_states_counts(memory.states).states, n);
	note(&worker, key_of(n), NULL, 0, *origin_of_next(&worker));
	done(&worker, MZ_NO_STATE);
	assert_int_equal(worker.frontier.take(worker.frontier.self, &state), MZ_TAKEN_FULL);
	part(&worker, &memory);
}

static void test_own_states_first(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker one, two;
	uint32_t state;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	join(&one, &memory, 1);
	join(&two, &memory, 2);
	add(&one, 1);
	add(&one, 2);
	add(&two, 3);
	assert_true(take(&two, &state) && state == 2);
	done(&two, state);
	assert_true(take(&two, &state) && state == 0);
	assert_true(take(&one, &state) && state == 1);
	_Atomic uint32_t stop = 1; /* others are at work, but it is time */
	one.user.stop = &stop;
	assert_false(take(&one, &state));
	mz_states_user_release(&two.user);
	part(&one, &memory);
}

/* A worker whose own queue is short does not take its states one by one while others have many. */
static void test_short_queue(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker one, two;
	uint32_t state;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	join(&one, &memory, 1);
	join(&two, &memory, 2);
	for (uint64_t n = 0; n < 100; n++) add(&one, n);
	add(&two, 100);
	two.user.exchanged = 0; /* so that it does not matter how long that took */
	assert_true(take(&two, &state) && state == 100);
	assert_in_range(two.user.ntaken, 2, 50);
	mz_states_user_release(&two.user);
	part(&one, &memory);
}

static void test_threads(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	static struct mz_session_thread threads[MZ_SESSION_THREADS];
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
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

/* A worker whose first state is another one has nothing to do with the rest. */
static void test_first_states_differ(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker one, two;
	uint32_t state;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	join(&one, &memory, 1);
	join(&two, &memory, 2);
	add(&one, 1);
	note(&two, key_of(2), NULL, 0, first);
	done(&two, MZ_NO_STATE);
	assert_false(take(&two, &state));
	assert_true(two.user.is_foreign);
	assert_int_equal(mz_states_counts(memory.states).states, 1);
	mz_states_user_release(&two.user);
	part(&one, &memory);
}

/* ---- workers that die ---- */

static void test_lost_twice_is_lost(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker worker;
	uint32_t state;
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	join(&worker, &memory, 3);
	add(&worker, 1);
	add(&worker, 2);
	assert_true(take(&worker, &state) && state == 0);
	assert_int_equal(lost(&memory, 3, 1), 0);
	assert_int_equal(lost(&memory, 3, 1), MZ_NO_STATE);
	mz_states_user_release(&worker.user);
	join(&worker, &memory, 3);
	assert_true(take(&worker, &state) && state == 1);
	done(&worker, state);
	assert_true(take(&worker, &state) && state == 0);
	assert_int_equal(mz_states_counts(memory.states).aside, 0);
	assert_int_equal(lost(&memory, 3, 1), 0);
	assert_int_equal(mz_states_counts(memory.states).aside, 1);
	mz_states_user_release(&worker.user);
	join(&worker, &memory, 3);
	assert_false(take(&worker, &state));
	add(&worker, 3);
	assert_true(take(&worker, &state));
	assert_int_equal(lost(&memory, 3, 0), state); /* at once, if that is said */
	assert_int_equal(mz_states_counts(memory.states).aside, 2);
	part(&worker, &memory);
}

/* From state n, of LAST, 2n + 1 and 2n + 2 are reached, and n / 2: all of them from the first. Who n is, is in its origin. */
#define LAST 200000U

static void note_number(struct worker *worker, uint32_t parent, uint32_t n)
{
	uint8_t bytes[64] = {0};
	memcpy(bytes, &n, sizeof n);
	note(worker, key_of(n), bytes, sizeof bytes, (struct mz_origin){parent, 0, 1, n});
}

static struct mz_cartesian_counts counted(void *self)
{
	return *(struct mz_cartesian_counts *)self;
}

static void expand(struct worker *worker, unsigned most)
{
	struct mz_cartesian_counts counts = mz_states_join(&worker->user);
	uint32_t state;
	worker->user.count = counted;
	worker->user.counter = &counts;
	while (most-- && take(worker, &state)) {
		uint32_t n = worker->frontier.origin(worker->frontier.self, state).choice;
		for (uint32_t m = 2 * n + 1; m <= 2 * n + 2 && m <= LAST; m++) note_number(worker, state, m);
		note_number(worker, state, n / 2);
		counts.states++;
		counts.steps += n;
		done(worker, state);
	}
	settle(worker);
	worker->user.count = NULL;
}

static pid_t start_worker(struct mz_states_memory *memory, uint32_t number)
{
	struct worker worker;
	pid_t child = fork();
	if (child) return child;
	join(&worker, memory, number);
	expand(&worker, UINT32_MAX);
	_exit(0);
}

/* Kills workers at any time, many times. */
static void kill_workers(struct mz_states_memory *memory, unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		pid_t children[2];
		for (uint32_t w = 0; w < 2; w++) children[w] = start_worker(memory, w + 1);
		usleep(500 + round * 97);
		for (uint32_t w = 0; w < 2; w++) {
			kill(children[w], SIGKILL);
			waitpid(children[w], NULL, 0);
			lost(memory, w + 1, UINT8_MAX);
		}
	}
}

static size_t count_links(struct worker *worker)
{
	struct mz_state_link link;
	size_t n = 0;
	while (worker->frontier.link(worker->frontier.self, n, &link)) n++;
	return n;
}

/* All states are known and done, each was counted once, and so are all links. */
static void check_all(struct worker *worker, struct mz_states_memory *memory)
{
	struct mz_states_counts counts = mz_states_counts(memory->states);
	struct mz_cartesian_counts total = mz_states_total(memory->states);
	assert_int_equal(counts.aside, 0);
	assert_int_equal(counts.left, 0);
	assert_int_equal(counts.states, LAST + 1);
	assert_int_equal(total.states, LAST + 1);
	assert_int_equal(total.steps, (uint64_t)LAST * (LAST + 1) / 2);
	assert_int_equal(count_links(worker), LAST); /* of the first state, the link leads to itself */
}

/* Whoever dies, at any time: nothing is lost, and nothing is there twice. */
static void test_workers_are_killed(void **exact)
{
	struct mz_states_memory memory;
	struct worker worker;
	assert_int_equal(mz_states_open(&memory, (size_t)256 << 20, 0, *exact != NULL), 0);
	join(&worker, &memory, 0);
	note_number(&worker, MZ_NO_STATE, 0);
	done(&worker, MZ_NO_STATE);
	expand(&worker, 2000);
	lost(&memory, 0, UINT8_MAX); /* what it had taken, and not looked at */
	kill_workers(&memory, 40);
	mz_states_user_release(&worker.user);
	join(&worker, &memory, 0);
	expand(&worker, UINT32_MAX);
	check_all(&worker, &memory);
	part(&worker, &memory);
}

/* A copy goes on where workers were, also in a memory with more room. */
static void test_copies(void **exact)
{
	struct mz_states_memory memory, next;
	struct worker worker;
	size_t size, most = (size_t)128 << 20;
	assert_int_equal(mz_states_open(&memory, most, 0, *exact != NULL), 0);
	join(&worker, &memory, 0);
	note_number(&worker, MZ_NO_STATE, 0);
	done(&worker, MZ_NO_STATE);
	expand(&worker, 3000);
	for (unsigned round = 0; round < 4; round++) {
		kill_workers(&memory, 3);
		char *copy = mz_states_copy(&memory, &size);
		assert_non_null(copy);
		mz_states_close(&memory);
		most *= round == 1 ? 3 : 1;
		assert_int_equal(mz_states_open(&next, most, 0, *exact != NULL), 0);
		assert_false(mz_states_restore(&next, copy, size - 1));
		assert_true(mz_states_restore(&next, copy, size));
		mz_free(copy);
		memory = next;
	}
	mz_states_user_release(&worker.user);
	join(&worker, &memory, 0);
	expand(&worker, UINT32_MAX);
	check_all(&worker, &memory);
	part(&worker, &memory);
}

/* What is learned makes states useless that were found without it, for all workers. */
static void test_beginning_anew(void **unused)
{
	(void)unused;
	struct mz_states_memory memory;
	struct worker worker;
	uint32_t state;
	struct mz_session_learned learned = {0}, again = {0};
	assert_int_equal(mz_states_open(&memory, MUCH, 0, false), 0);
	assert_true(mz_states_begin(&memory, &learned));
	join(&worker, &memory, 0);
	add(&worker, 1);
	assert_true(mz_states_begin(&memory, &learned));
	assert_int_equal(mz_states_counts(memory.states).states, 1);
	learned.requests.kinds = 1;
	learned.requests.process_signals = 2;
	assert_true(mz_states_begin(&memory, &learned));
	assert_int_equal(mz_states_counts(memory.states).states, 0);
	assert_true(mz_states_begin(&memory, &again));
	assert_int_equal(again.requests.kinds, 1);
	assert_int_equal(again.requests.process_signals, 2);
	assert_false(take(&worker, &state));
	assert_true(worker.user.outdated);
	part(&worker, &memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_first_come_first_served),
	    cmocka_unit_test(test_batches),
	    cmocka_unit_test(test_bytes_decide),
	    cmocka_unit_test(test_bytes_are_shared),
	    cmocka_unit_test(test_full),
	    cmocka_unit_test(test_own_states_first),
	    cmocka_unit_test(test_short_queue),
	    cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_first_states_differ),
	    cmocka_unit_test(test_lost_twice_is_lost),
	    cmocka_unit_test(test_workers_are_killed),
	    cmocka_unit_test_prestate(test_workers_are_killed, (void *)1),
	    cmocka_unit_test(test_copies),
	    cmocka_unit_test_prestate(test_copies, (void *)1),
	    cmocka_unit_test(test_beginning_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
