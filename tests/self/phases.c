/* SPDX-License-Identifier: MIT
 *
 * explorer/explore.c and explorer/shared_trunk.c: workers raise the bound together (--iterate), and one of them is killed.
 *
 * In the place of the engine there is a search that has one execution within bound 0, and two within bound 1 or without bounds. So
 * workers explore bound 0, look whether a search without bounds is as small, and explore bound 1, which leaves nothing out.
 * Invariant: whatever is killed where, the bounds are explored one after the other, each has its number of executions, and what is
 * explored in the end is all. Nobody waits in a phase that is over.
 *
 * options: --preemptions 2 -- whole
 * options: --preemptions 0 -- killed
 * sources: explorer/explore.c explorer/shared_trunk.c explorer/trunk_supervision.c explorer/trunk_link.c explorer/shared_keys.c
 * sources: explorer/learned.c engine/options.c
 * sources: engine/backtracking/interned.c engine/backtracking/sleep.c engine/backtracking/trunk.c engine/backtracking/trunk_posts.c
 * sources: engine/backtracking/trunk_roam.c engine/backtracking/trunk_sets.c engine/backtracking/wakeup.c
 * sources: engine/execution/conflict.c engine/execution/execution.c engine/execution/objects.c engine/execution/waiting.c
 * sources: engine/reversal/race.c engine/reversal/sequence.c trace/event.c
 * sources: base/alloc.c base/arena.c base/array.c base/bug.c base/chunks.c base/hash.c base/keyset.c base/pool.c base/table.c
 * sources: ../tests/self/memory.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local
 */
#include "dying.h"
#include "engine/backtracking/trunk_sets.h"
#include "engine/search.h"
#include "engine/strategy.h"
#include "explorer/explore.h"
#include "explorer/trunk_memory.h"
#include "memory.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>

#define MEMORY ((size_t)4 << 20)
#define LAST 1 /* bound */
#define WAITS_MOST 30

static _Alignas(4096) char memory[MEMORY];
static struct mz_trunk_memory trunk;
static struct mz_session sessions[3];
static _Thread_local uint32_t waits;

/* ---- the strategy that there is ---- */

static const struct mz_strategy only = {.name = "only", .exact = true, .ordered = true};

const struct mz_strategy *mz_strategy_find(const char *name)
{
	(void)name;
	return &only;
}

const struct mz_strategy *mz_strategy_asked(const char *name, bool published)
{
	(void)name, (void)published;
	return &only;
}

const struct mz_strategy *mz_strategy_method(const struct mz_strategy *asked, unsigned bounds)
{
	(void)bounds;
	return asked;
}

const struct mz_strategy *mz_strategy_shared_method(const struct mz_strategy *asked, unsigned bounds)
{
	(void)bounds;
	return asked;
}

const struct mz_strategy *mz_strategy_substitute(const struct mz_strategy *method, unsigned bounds)
{
	(void)method, (void)bounds;
	return NULL;
}

const char *mz_strategy_name(size_t n)
{
	return n ? NULL : only.name;
}

const char *mz_strategy_name_of(const struct mz_strategy *strategy)
{
	return strategy->name;
}

bool mz_strategy_exact(const struct mz_strategy *strategy)
{
	return strategy->exact;
}

bool mz_strategy_reduces(const struct mz_strategy *strategy)
{
	return strategy->ordered;
}

bool mz_strategy_samples(const struct mz_strategy *strategy)
{
	return strategy->samples;
}

bool mz_strategy_shares_graphs(const struct mz_strategy *strategy)
{
	return strategy->shares_graphs;
}

bool mz_strategy_explores_inputs(const struct mz_strategy *strategy)
{
	return !strategy->no_inputs;
}

/* ---- searches: each execution is a leaf of the trunk ---- */

struct mz_search {
	struct mz_trunk_worker *trunk;
	bool bounded;
	uint32_t bound;
	struct mz_search_counts counts;
};

/* Waits for news without end: none may be missed. There are not many. */
static bool await(void *self)
{
	const struct mz_trunk_user *user = self;
	assert(++waits < WAITS_MOST);
	while (!mz_trunk_has_news(user)) mz_yield();
	return true;
}

struct mz_search *mz_search_new(const struct mz_search_options *options)
{
	static _Thread_local struct mz_search search;
	search = (struct mz_search){options->trunk, options->bounded, options->preemptions, {0}};
	search.trunk->wait = await;
	return &search;
}

bool mz_search_next(struct mz_search *search, uint32_t *known)
{
	size_t common;
	*known = 0;
	return mz_trunk_next(search->trunk, &common);
}

/* Puts the second execution beside the first one, which has been made. */
static void branch(struct mz_search *search)
{
	static const struct mz_event first = {.thread = 0, .alternatives = 1},
	                             second = {.thread = 1, .alternatives = 1};
	struct mz_trunk_graft graft;
	mz_trunk_begin_graft(search->trunk, &graft);
	bool good =
	    mz_trunk_add_done(search->trunk, &graft, &first) && mz_trunk_add_branch(search->trunk, &graft, &second);
	assert(good);
	const struct mz_trunk_counts counts = mz_trunk_count(search->trunk);
	mz_trunk_graft(search->trunk, &graft, false, &counts);
}

void mz_search_end(struct mz_search *search, const struct mz_view *view, bool cut)
{
	(void)view, (void)cut;
	bool all = !search->bounded || search->bound == LAST;
	search->counts.executions++;
	if (!all) {
		bool told = mz_trunk_refuse(search->trunk, 0);
		assert(told);
		search->counts.refused++;
	} else if (search->trunk->path.length == 0) {
		branch(search);
	}
}

struct mz_search_counts mz_search_counts(const struct mz_search *search)
{
	return search->counts;
}

struct mz_search_memory mz_search_memory(const struct mz_search *search)
{
	(void)search;
	return (struct mz_search_memory){0};
}

bool mz_search_failed(const struct mz_search *search)
{
	return search->trunk->failed;
}

void mz_search_leave(struct mz_search *search)
{
	mz_trunk_leave(search->trunk);
}

void mz_search_drop(struct mz_search *search, const struct mz_view *view, bool cut)
{
	(void)search, (void)view, (void)cut;
	assert(!"no execution is dropped");
}

void mz_search_abandon(struct mz_search *search)
{
	(void)search;
	assert(!"no execution diverges");
}

bool mz_search_raise(struct mz_search *search, uint32_t preemptions)
{
	(void)search, (void)preemptions;
	assert(!"the bound is raised by all");
	return false;
}

void mz_search_cheapen(struct mz_search *search, struct mz_step *steps, uint32_t n)
{
	(void)search, (void)steps, (void)n;
}

double mz_search_promise(const struct mz_search *search)
{
	(void)search;
	return 0;
}

void mz_search_free(struct mz_search *search)
{
	(void)search;
}

struct mz_step mz_search_choose(void *search, const struct mz_view *view)
{
	(void)search, (void)view;
	return (struct mz_step){MZ_NO_THREAD, 0};
}

void mz_search_observe(void *search, const struct mz_event *event)
{
	(void)search, (void)event;
}

void mz_search_order(void *search, uint32_t before, uint32_t after)
{
	(void)search, (void)before, (void)after;
}

/* ---- workers ---- */

static enum mz_end run(void *self, struct mz_step *schedule, uint32_t known, const struct mz_driver *driver,
                       struct mz_view *view)
{
	(void)self, (void)schedule, (void)known, (void)driver, (void)view;
	return MZ_END_FINISHED;
}

static void begin(void *self)
{
	(void)self;
}

static const struct mz_executor executor = {.run = run, .begin = begin, .restart = begin};

static void *work(void *self)
{
	struct mz_session *session = self;
	if (session->recording) mz_dying_begin();
	mz_explore(session, &executor, trunk.shared);
	assert(session->outcome == MZ_OUTCOME_DONE);
	mz_dying_end();
	return NULL;
}

/* Starts a worker; `recording` of its session says whether it may be killed. */
static void start(pthread_t *thread, uint32_t n, uint32_t seat, bool mortal)
{
	struct mz_session *session = &sessions[n];
	session->worker = session->seat = seat;
	session->inputs.memory = -1;
	session->recording = mortal;
	session->configuration = (struct mz_configuration){.iterate = true, .sleep = true};
	session->configuration.preemptions = session->configuration.fair = session->configuration.delays = MZ_ANY;
	session->configuration.switches = MZ_ANY;
	pthread_create(thread, NULL, work, session);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	void *result;
	struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS];
	bool mortal = argc == 2 && strcmp(argv[1], "killed") == 0;
	mz_memory_use(memory, MEMORY);
	int failed = mz_trunk_memory_open(&trunk, MEMORY / 2, 0);
	assert(!failed);
	trunk.raises = true;
	start(&threads[0], 0, 0, mortal);
	start(&threads[1], 1, 1, false);
	pthread_join(threads[0], &result);
	if (mz_dying_is_result(result)) {
		mz_trunk_lose_worker(&trunk, 0);
		start(&threads[2], 2, 0, false);
		pthread_join(threads[2], NULL);
	}
	pthread_join(threads[1], NULL);
	const struct mz_trunk_phase phase = mz_trunk_phase(&trunk, iterations);
	assert(mz_trunk_is_whole(&trunk) && phase.over && phase.exhausted && iterations[0].executions == 1);
	assert(phase.executed == 1 && phase.counts.executions == 2);
	/* workers may have come to the end of a search without bounds together, each thinking that it was small */
	assert(phase.bound == (phase.replaced ? 0 : LAST) && phase.iterations == phase.bound + 1);
	assert(phase.replaced || iterations[1].executions == 2);
	return 0;
}
