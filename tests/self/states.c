/* SPDX-License-Identifier: MIT
 *
 * explorer/states_memory.c, states.c and states_supervision.c: workers look at the states of a program together, and one of them is
 * killed.
 *
 * The states are those of a graph: the first leads to the second and the third, and the second to the third. Invariant: whatever is killed
 * where, each state is known once, with the way that leads to it, and each counts once as looked at; each edge is there once; and
 * everybody notices the end. What a worker finds without the lock is there.
 *
 * options: -- whole
 * options: --preemptions 1 -- killed
 * sources: explorer/states.c explorer/states_memory.c explorer/states_supervision.c explorer/trunk_link.c explorer/learned.c
 * sources: base/alloc.c base/array.c base/bug.c base/hash.c base/table.c ../tests/self/memory.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local
 */
#include "explorer/states.h"
#include "dying.h"
#include "explorer/states_memory.h"
#include "memory.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

#define MEMORY ((size_t)1 << 20)
#define MOST ((size_t)16 << 10)
#define STATES 3
#define EDGES 3
#define LAST (STATES - 1)

static _Alignas(4096) char memory[MEMORY];
static struct mz_states_memory states;

/* Which states each leads to: thread 0 and thread 1 make a step. */
static const struct {
	uint32_t count, to[2];
} graph[STATES] = {{2, {1, LAST}}, {1, {LAST}}, {0, {0}}};

struct worker {
	struct mz_states_user user;
	struct mz_cartesian_counts counts;
	bool mortal;
};

static struct worker workers[3];

/* ---- workers ---- */

static struct mz_key key_of(uint32_t n)
{
	return (struct mz_key){1000 + n, n};
}

static struct mz_cartesian_counts count(void *self)
{
	return ((const struct worker *)self)->counts;
}

/* Returns which state of the graph has a number. */
static uint32_t state_of(uint32_t number)
{
	return (uint32_t)mz_states_record(states.states, number)->key.high;
}

/* Adds what a state leads to, and says that it has been looked at. */
static void look_at(struct worker *worker, const struct mz_frontier *frontier, uint32_t number)
{
	uint32_t state = state_of(number);
	for (uint32_t t = 0; t < graph[state].count; t++) {
		const struct mz_origin origin = {.parent = number, .thread = t, .steps = 1};
		frontier->add(frontier->self, key_of(graph[state].to[t]), NULL, 0, &origin, t);
		worker->counts.steps++;
	}
	worker->counts.states++;
	frontier->done(frontier->self, number, (struct mz_prospect){.ends = state == LAST});
}

static void *work(void *self)
{
	struct worker *worker = self;
	uint32_t number;
	if (worker->mortal) mz_dying_begin();
	worker->user.states = states.states;
	worker->user.count = count;
	worker->user.counter = worker;
	worker->counts = mz_states_join(&worker->user);
	const struct mz_frontier frontier = mz_states_frontier(&worker->user);
	const struct mz_origin none = {.parent = MZ_NO_STATE};
	frontier.open(frontier.self, &(const struct mz_frontier_client){0});
	if (!frontier.knows(frontier.self, key_of(0), NULL, 0)) {
		frontier.add(frontier.self, key_of(0), NULL, 0, &none, 0);
		frontier.done(frontier.self, MZ_NO_STATE, (struct mz_prospect){0});
	}
	while (frontier.take(frontier.self, &number) == MZ_TAKEN) look_at(worker, &frontier, number);
	frontier.leave(frontier.self);
	mz_dying_end();
	return NULL;
}

static void start(pthread_t *thread, uint32_t n, uint32_t seat, bool mortal)
{
	workers[n].user.worker = workers[n].user.seat = seat;
	workers[n].mortal = mortal;
	pthread_create(thread, NULL, work, &workers[n]);
}

/* ---- what has to be ---- */

/* Edges that there are, by the states that they come from and lead to. */
static uint32_t edges[STATES][STATES];

static void check_state(uint32_t number)
{
	struct mz_states *s = states.states;
	const struct mz_state_record *record = mz_states_record(s, number);
	const uint32_t state = state_of(number), parent = record->origin.parent;
	assert(record->status == MZ_STATE_DONE && record->ends == (state == LAST));
	assert(mz_states_find(s, STATES, key_of(state), NULL, 0) == number);
	assert(record->depth == (state ? mz_states_record(s, parent)->depth + 1 : 0));
	if (state) edges[state_of(parent)][state]++;
}

static void check(void)
{
	struct mz_states_counts counts;
	bool sound = mz_states_count_checked(&states, &counts);
	assert(sound && counts.states == STATES && counts.left == 0 && counts.aside == 0);
	for (uint32_t n = 0; n < STATES; n++) check_state(n);
	assert(states.states->extent.links == EDGES - (STATES - 1));
	const struct mz_state_link *link = mz_states_element(states.states, MZ_STATES_LINKS, 0);
	edges[state_of(link->from)][state_of(link->to)]++;
	assert(edges[0][1] == 1 && edges[0][2] == 1 && edges[1][2] == 1);
	const struct mz_cartesian_counts total = mz_states_total(states.states);
	assert(total.states == STATES && total.steps == EDGES);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	void *result;
	uint32_t at;
	bool mortal = argc == 2 && strcmp(argv[1], "killed") == 0;
	mz_memory_use(memory, MEMORY);
	int failed = mz_states_open(&states, MOST, 0, false);
	assert(!failed);
	start(&threads[0], 0, 0, mortal);
	start(&threads[1], 1, 1, false);
	pthread_join(threads[0], &result);
	if (mz_dying_is_result(result)) {
		bool sound = mz_states_lose_worker(&states, 0, 1, &at);
		assert(sound);
		start(&threads[2], 2, 0, false);
		pthread_join(threads[2], NULL);
	}
	pthread_join(threads[1], NULL);
	check();
	return 0;
}
