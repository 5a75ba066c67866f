/* SPDX-License-Identifier: MIT
 *
 * The first state is stored before the first step: no thread has to be created again. From then on, the state that the
 * new part of an execution starts from is stored if the steps that lead to it from the last one take longer than that:
 * a depth-first search comes back to it, or goes on from there. What steps and storing take is measured. If the first
 * state is so large that it is quicker to start over, there is none; a deeper one may still pay.
 */
#include "runtime/states/checkpoint.h"
#include "base/alloc.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/states/parts.h"
#include "runtime/watch/watch.h"

#define MAX_CHECKPOINTS 64
/* Until then it does not matter how long an execution takes, unless it takes long. */
#define FEW_EXECUTIONS 100
#define MANY_STEPS 1000
#define MAX_BYTES (256UL << 20) /* of all states, unless the user gives a limit on memory */
#define KEPT_BYTES (1UL << 20)  /* of a state that is not needed any more, for the next one */

struct checkpoint {
	uint32_t depth;
	struct mz_state state;
};

static struct checkpoint checkpoints[MAX_CHECKPOINTS];
static uint32_t ncheckpoints;

/* Costs, in ticks of the processor. */
static uint64_t started;    /* when the steps under way began */
static uint64_t step_cost;  /* cost of a thousand steps; 0 if it is not known yet */
static uint64_t store_cost; /* cost of storing one state */
static uint64_t start_cost; /* cost of getting from the beginning to the first step */
/* starting from the beginning is quicker than going back to a state before the first step */
static bool starts_over;

static const struct checkpoint *deepest(void)
{
	return ncheckpoints ? &checkpoints[ncheckpoints - 1] : NULL;
}

/* ---- whether it pays ---- */

static void learn(uint64_t *cost, uint64_t sample)
{
	*cost = *cost ? (*cost * 7 + sample) / 8 : sample;
}

static bool pays(uint32_t steps)
{
	if (steps == 0) return false;
	if (mz_rt.session->configuration.checkpoints == MZ_CHECKPOINTS_ALWAYS) return true;
	uint64_t start = ncheckpoints ? 0 : start_cost;
	if (!step_cost || start + steps * step_cost / 1000 >= store_cost) return true;
	store_cost -= store_cost / 256; /* what was measured may have been an accident: it is tried again at times */
	return false;
}

static bool is_possible(void)
{
	static int stateless = -1;
	uint32_t executions = mz_rt.generation - mz_rt.first_generation;
	if (mz_rt.mode.follows_schedule || executions == 0 || mz_rt.seen.unseen_stacks || mz_rt.seen.moves_files)
		return false;
	if (mz_rt.session->configuration.checkpoints != MZ_CHECKPOINTS_AUTO)
		return mz_rt.session->configuration.checkpoints == MZ_CHECKPOINTS_ALWAYS;
	if (executions < FEW_EXECUTIONS && mz_rt.execution.known < MANY_STEPS) return false;
	if (stateless < 0) stateless = mz_imports_are_stateless();
	return stateless;
}

uint32_t mz_checkpoint_plan(uint32_t known)
{
	const struct checkpoint *from = deepest();
	if (!is_possible()) return MZ_CHECKPOINT_NEVER;
	started = mz_arch_ticks();
	if (!from && !starts_over) return 0;
	if (ncheckpoints == MAX_CHECKPOINTS || !pays(known - (from ? from->depth : 0))) return MZ_CHECKPOINT_NEVER;
	return known;
}

/* ---- storing and loading ---- */

static bool is_too_large(void)
{
	size_t most = mz_rt.session->configuration.max_memory ? mz_rt.session->configuration.max_memory : MAX_BYTES;
	size_t bytes = mz_image_bytes() + mz_heap_bytes() + mz_race_bytes();
	for (uint32_t i = 0; i < ncheckpoints; i++) bytes += checkpoints[i].state.size;
	return bytes > most;
}

static void drop_deepest(void)
{
	struct mz_state *state = &checkpoints[--ncheckpoints].state;
	if (state->capacity <= KEPT_BYTES) return;
	mz_free(state->bytes);
	*state = (struct mz_state){0};
}

/* Small states are not worth the question, and what was measured may have been an accident. */
static void judge_first(const struct checkpoint *first, uint64_t start, uint64_t store)
{
	start_cost = start;
	if (first->state.size <= KEPT_BYTES || store <= start) return;
	if (mz_rt.session->configuration.checkpoints == MZ_CHECKPOINTS_ALWAYS) return;
	starts_over = true;
	drop_deepest();
}

void mz_checkpoint_store(void)
{
	uint32_t done = mz_rt.execution.nsteps - (ncheckpoints ? deepest()->depth : 0);
	uint64_t before = mz_arch_ticks();
	if (mz_rt.seen.moves_files || is_too_large()) return;
	if (done) learn(&step_cost, (before - started) * 1000 / done);
	struct checkpoint *checkpoint = &checkpoints[ncheckpoints++];
	checkpoint->depth = mz_rt.execution.nsteps;
	mz_parts_store_shared(&checkpoint->state);
	mz_parts_store_rest(&checkpoint->state);
	uint64_t cost = mz_arch_ticks() - before;
	learn(&store_cost, cost);
	if (mz_rt.execution.nsteps == 0) judge_first(checkpoint, before - started, cost);
}

void mz_checkpoint_forget(void)
{
	while (ncheckpoints) drop_deepest();
}

bool mz_checkpoint_load(uint32_t known)
{
	if (MZ_UNLIKELY(mz_rt.seen.moves_files)) mz_checkpoint_forget();
	while (ncheckpoints && checkpoints[ncheckpoints - 1].depth > known) drop_deepest();
	if (!ncheckpoints) return false;
	struct checkpoint *checkpoint = &checkpoints[ncheckpoints - 1];
	mz_parts_load(&checkpoint->state);
	return true;
}
