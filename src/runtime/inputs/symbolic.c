/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/symbolic.h"
#include "runtime/inputs/agree.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/question.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/values.h"
#include "runtime/watch/watch.h"
#include <sys/mman.h>

uint8_t __mz_sym_active, __mz_sym_steps;

/* How many inputs each thread has marked in this execution. */
static struct {
	uint32_t marked[MZ_SESSION_THREADS];
	uint32_t total;
} counts;

/* Sets whether values may depend on inputs from now on. A replay has no expressions, but makes what models do. */
static void set_active(bool marked)
{
	bool active = marked && (mz_inputs_space || mz_rt.mode.replaying);
	__mz_sym_active = active;
	__mz_sym_steps = active && mz_rt.mode.points_all;
	mz_caller_follow(active);
	mz_rt.mode.tells_atomics = mz_rt.mode.replaying || active;
}

static struct mz_session_inputs *table(void)
{
	return &mz_rt.session->inputs;
}

static const uint8_t *bytes(void)
{
	return mz_inputs_space ? mz_inputs_space->values : table()->values;
}

/* Finds an input, or adds it, for an execution that has it. Returns NULL if there are too many, and inputs are not explored. */
static struct mz_session_input *take(uint32_t thread, uint32_t nth, size_t size, const char *name)
{
	if (mz_inputs_space && counts.total >= mz_rt.session->configuration.max_inputs)
		mz_give_up(MZ_PATH_LIMIT_INPUTS);
	struct mz_session_input *input = mz_agree_input(thread, nth, size, name);
	if (!input && mz_inputs_space) mz_give_up(MZ_PATH_LIMIT_BYTES);
	counts.total++;
	if (input) input->marked = 1;
	if (!mz_inputs_space && mz_rt.session->mode == MZ_MODE_EXPLORE) table()->unexplored = 1;
	set_active(true);
	return input;
}

/* Gives an object the bytes of an input, and their shadows. */
static void fill(const struct mz_session_input *input, void *object, size_t size)
{
	if (!input) { /* all of them are zero */
		MZ_REAL(memset)(object, 0, size);
		return;
	}
	MZ_REAL(memcpy)(object, bytes() + input->first, size);
	mz_follow_end();
	for (size_t i = 0; i < size && mz_inputs_space; i++)
		mz_shadow_set((uintptr_t)object + i, mz_inputs_make(MZ_OPERATOR_INPUT, 8, 0, 0, input->first + i));
}

uint32_t mz_input_mark(struct mz_fiber *self, void *object, size_t size, const char *name, uintptr_t caller)
{
	uint32_t nth = counts.marked[self->index]++;
	const struct mz_session_input *input = take(self->index, nth, size, name);
	mz_race_access(self, (uintptr_t)object, size, MZ_RACE_WRITE, caller);
	fill(input, object, size);
	return nth;
}

void mz_input_give(struct mz_fiber *self, uint32_t nth, void *object, size_t size, const char *name)
{
	(void)self;
	fill(take(MZ_NO_THREAD, nth, size, name), object, size);
}

const uint8_t *mz_input_provide(uint32_t nth, size_t size, const char *name, uint32_t *first)
{
	const struct mz_session_input *input = take(MZ_NO_THREAD, nth, size, name);
	*first = input->first;
	return bytes() + input->first;
}

void mz_inputs_each(void (*visit)(void *to, const struct mz_session_input *input, const uint8_t *bytes), void *to)
{
	for (uint32_t n = 0; n < table()->count; n++) {
		const struct mz_session_input *input = &table()->inputs[n];
		bool given = input->thread == MZ_NO_THREAD;
		if (given || input->nth < counts.marked[input->thread]) visit(to, input, bytes() + input->first);
	}
}

void mz_inputs_keep(uint32_t finding)
{
	if (mz_rt.mode.replaying) return;
	if (counts.total) MZ_REAL(memcpy)(mz_session_found_inputs(mz_rt.session, finding), bytes(), table()->nbytes);
	mz_rt.session->findings[finding].inputs = counts.total ? table()->count : 0;
}

void mz_inputs_start(void)
{
	int memory = table()->memory;
	if (memory < 0) return;
	void *space =
	    mmap(NULL, sizeof(struct mz_space), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
	if (space == MAP_FAILED) mz_unsupported("the memory of the solver cannot be mapped");
	mz_inputs_space = space;
	mz_question_start();
}

bool mz_inputs_are_marked(void)
{
	return counts.total != 0;
}

void mz_symbolic_reset(void)
{
	for (uint32_t t = 0; t < mz_rt.nfibers && counts.total; t++) counts.marked[t] = 0;
	counts.total = 0;
	mz_follow_reset();
	set_active(false);
}

void mz_symbolic_store(struct mz_state *state)
{
	mz_state_put(state, &counts.total, sizeof counts.total);
	mz_state_put(state, &mz_rt.nfibers, sizeof mz_rt.nfibers);
	mz_state_put(state, counts.marked, mz_rt.nfibers * sizeof *counts.marked);
}

void mz_symbolic_load(struct mz_state *state)
{
	uint32_t nfibers;
	mz_symbolic_reset();
	mz_state_get(state, &counts.total, sizeof counts.total);
	mz_state_get(state, &nfibers, sizeof nfibers);
	mz_state_get(state, counts.marked, nfibers * sizeof *counts.marked);
	set_active(counts.total != 0);
}
