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

/* The states that are kept, each deeper than the one before. */
static struct {
	struct checkpoint at[MAX_CHECKPOINTS];
	uint32_t count;
} kept;

/* What executions have shown of the cost of steps and of states, in ticks of the processor. */
static struct {
	uint64_t started; /* when the steps under way began */
	uint64_t step;    /* of a thousand steps; 0: not known yet */
	uint64_t store;   /* of storing one state */
	uint64_t start;   /* of getting to the first step from the beginning */
	bool starts_over; /* that is quicker than going back to a state there */
} costs;

static const struct checkpoint *deepest(void)
{
	return kept.count ? &kept.at[kept.count - 1] : NULL;
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
	uint64_t start = kept.count ? 0 : costs.start;
	if (!costs.step || start + steps * costs.step / 1000 >= costs.store) return true;
	costs.store -= costs.store / 256; /* what was measured may have been an accident: it is tried again at times */
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
	costs.started = mz_arch_ticks();
	if (!from && !costs.starts_over) return 0;
	if (kept.count == MAX_CHECKPOINTS || !pays(known - (from ? from->depth : 0))) return MZ_CHECKPOINT_NEVER;
	return known;
}

/* ---- storing and loading ---- */

static bool is_too_large(void)
{
	size_t most = mz_rt.session->configuration.max_memory ? mz_rt.session->configuration.max_memory : MAX_BYTES;
	size_t bytes = mz_image_bytes() + mz_heap_bytes() + mz_race_bytes();
	for (uint32_t i = 0; i < kept.count; i++) bytes += kept.at[i].state.size;
	return bytes > most;
}

static void drop_deepest(void)
{
	struct mz_state *state = &kept.at[--kept.count].state;
	if (state->capacity <= KEPT_BYTES) return;
	mz_free(state->bytes);
	*state = (struct mz_state){0};
}

/* Small states are not worth the question, and what was measured may have been an accident. */
static void judge_first(const struct checkpoint *first, uint64_t start, uint64_t store)
{
	costs.start = start;
	if (first->state.size <= KEPT_BYTES || store <= start) return;
	if (mz_rt.session->configuration.checkpoints == MZ_CHECKPOINTS_ALWAYS) return;
	costs.starts_over = true;
	drop_deepest();
}

void mz_checkpoint_store(void)
{
	uint32_t done = mz_rt.execution.nsteps - (kept.count ? deepest()->depth : 0);
	uint64_t before = mz_arch_ticks();
	if (mz_rt.seen.moves_files || is_too_large()) return;
	if (done) learn(&costs.step, (before - costs.started) * 1000 / done);
	struct checkpoint *checkpoint = &kept.at[kept.count++];
	checkpoint->depth = mz_rt.execution.nsteps;
	mz_parts_store_shared(&checkpoint->state);
	mz_parts_store_rest(&checkpoint->state);
	uint64_t cost = mz_arch_ticks() - before;
	learn(&costs.store, cost);
	if (mz_rt.execution.nsteps == 0) judge_first(checkpoint, before - costs.started, cost);
}

void mz_checkpoint_forget(void)
{
	while (kept.count) drop_deepest();
}

bool mz_checkpoint_load(uint32_t known)
{
	if (MZ_UNLIKELY(mz_rt.seen.moves_files)) mz_checkpoint_forget();
	while (kept.count && kept.at[kept.count - 1].depth > known) drop_deepest();
	if (!kept.count) return false;
	struct checkpoint *checkpoint = &kept.at[kept.count - 1];
	mz_parts_load(&checkpoint->state);
	return true;
}
