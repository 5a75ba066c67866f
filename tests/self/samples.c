/* SPDX-License-Identifier: MIT
 *
 * engine/backtracking/trunk_samples.c: workers that sample draw numbers of executions from a trunk; one of them leaves, or is killed.
 *
 * Invariant: whatever is killed where, each number is executed, and counts once; what is known of earlier executions is what there
 * was before the largest power of two that is not larger than the number, whoever executes it. Nobody waits for a number that nobody
 * has.
 *
 * options: -- leave
 * options: --preemptions 1 -- killed
 * sources: explorer/shared_trunk.c explorer/trunk_supervision.c explorer/trunk_link.c explorer/shared_keys.c explorer/learned.c
 * sources: engine/backtracking/interned.c engine/backtracking/sleep.c engine/backtracking/trunk.c engine/backtracking/trunk_posts.c
 * sources: engine/backtracking/trunk_roam.c engine/backtracking/trunk_samples.c engine/backtracking/wakeup.c
 * sources: engine/execution/conflict.c engine/execution/execution.c engine/execution/objects.c engine/execution/waiting.c
 * sources: engine/reversal/race.c engine/reversal/sequence.c trace/event.c
 * sources: base/alloc.c base/arena.c base/array.c base/bug.c base/chunks.c base/hash.c base/keyset.c base/pool.c base/table.c
 * sources: ../tests/self/memory.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local
 */
#include "dying.h"
#include "engine/backtracking/trunk_samples.h"
#include "explorer/shared_trunk.h"
#include "memory.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

#define MEMORY ((size_t)4 << 20)
#define NUMBERS 3

static _Alignas(4096) char memory[MEMORY];
static struct mz_trunk_memory trunk;
static bool executed[NUMBERS];

struct worker {
	struct mz_trunk_user user;
	struct mz_session session;
	bool mortal;
	uint64_t most;   /* how many numbers it executes before it leaves */
	uint64_t number; /* of executions that it has made */
};

static struct worker workers[3];

static struct mz_trunk_counts count(void *self)
{
	const struct worker *worker = self;
	return (struct mz_trunk_counts){.executions = worker->user.before.executions + worker->number};
}

/* Waits for news without end: none may be missed. */
static bool await(void *self)
{
	const struct mz_trunk_user *user = self;
	while (!mz_trunk_has_news(user)) mz_yield();
	return true;
}

/* The n-th execution, from 0, has n + 1 steps. */
static void execute(struct worker *worker, const struct mz_trunk_draw *draw)
{
	uint64_t stage = 0, n = draw->next;
	assert(n < NUMBERS);
	while (mz_trunk_next_stage(stage, 0) <= n) stage = mz_trunk_next_stage(stage, 0);
	assert(draw->known.steps == stage);
	__atomic_store_n(&executed[n], true, __ATOMIC_RELAXED);
	worker->number++;
}

static void sample(struct worker *worker)
{
	struct mz_trunk_draw draw = {0};
	struct mz_trunk_extent seen = {0};
	bool failed = false;
	while (worker->number < worker->most) {
		if (draw.next == draw.end && !mz_trunk_draw(&worker->user.worker, NUMBERS, seen, &draw, &failed)) break;
		execute(worker, &draw);
		draw.next++;
		mz_trunk_extend(&seen, (struct mz_trunk_extent){.steps = (uint32_t)draw.next, .threads = 1});
	}
	bool left = mz_trunk_leave_draw(&worker->user.worker, seen, &draw);
	assert(!failed && left);
}

static void *work(void *self)
{
	struct worker *worker = self;
	if (worker->mortal) mz_dying_begin();
	mz_trunk_join(&worker->user, trunk.shared, &worker->session);
	worker->user.count = count;
	worker->user.counter = worker;
	worker->user.worker.wait = await;
	sample(worker);
	mz_dying_end();
	return NULL;
}

static void start(pthread_t *thread, uint32_t n, uint32_t seat, uint64_t most, bool mortal)
{
	workers[n].session.worker = workers[n].session.seat = seat;
	workers[n].session.inputs.memory = -1;
	workers[n].most = most;
	workers[n].mortal = mortal;
	pthread_create(thread, NULL, work, &workers[n]);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	void *result;
	bool mortal = argc == 2 && strcmp(argv[1], "killed") == 0;
	mz_memory_use(memory, MEMORY);
	int failed = mz_trunk_memory_open(&trunk, MEMORY / 2, 0);
	assert(!failed);
	start(&threads[0], 0, 0, mortal ? UINT64_MAX : 1, mortal);
	start(&threads[1], 1, 1, UINT64_MAX, false);
	pthread_join(threads[0], &result);
	if (mz_dying_is_result(result)) {
		mz_trunk_lose_worker(&trunk, 0);
		start(&threads[2], 2, 0, UINT64_MAX, false);
		pthread_join(threads[2], NULL);
	}
	pthread_join(threads[1], NULL);
	assert(mz_trunk_is_whole(&trunk));
	for (unsigned n = 0; n < NUMBERS; n++) assert(executed[n]);
	assert(mz_trunk_settled(&trunk, 0).executions + mz_trunk_settled(&trunk, 1).executions == NUMBERS);
	return 0;
}
