/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/path.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/inputs/agree.h"
#include "runtime/inputs/ahead.h"
#include "runtime/inputs/back.h"
#include "runtime/inputs/calls.h"
#include "runtime/inputs/chain.h"
#include "runtime/inputs/follow.h"
#include "runtime/inputs/question.h"
#include "runtime/inputs/shadow.h"
#include "runtime/inputs/symbolic.h"
#include "runtime/inputs/values.h"
#include "runtime/world/world.h"

/* What a thread knows of its inputs in every schedule: the branches that it has taken, and those that its creators took
 * before they made it. */
struct mz_past {
	uint32_t creator;
	uint32_t born; /* how long the path was when the thread was made */
	uint64_t hash; /* of these branches; the same in all workers */
};

/* The path. Its conditions are the constraints of the space. */
static struct {
	uint32_t count;
	uint32_t *threads; /* which thread took each branch */
	size_t capacity;
	/* by thread: the condition of the branch that the thread is at */
	uint32_t conditions[MZ_SESSION_THREADS];
	uint32_t first; /* 1 + the thread whose branches go first; 0: none */
	struct mz_past pasts[MZ_SESSION_THREADS];
} path;

/* ---- questions ---- */

static enum mz_answer ask(uint32_t condition, uint32_t value)
{
	return mz_question_ask(path.count, condition, value);
}

static uint8_t inputs_before[MZ_SPACE_BYTES]; /* before they were changed last */

bool mz_path_change_inputs(uint32_t thread, uint32_t choice)
{
	MZ_REAL(memcpy)(inputs_before, mz_inputs_space->values, mz_inputs_space->nbytes);
	if (ask(path.conditions[thread], choice) != MZ_ANSWER_SAT) return false;
	mz_question_take_model();
	if (choice == 0) mz_chain_steer(thread, path.count + 1);
	return true;
}

void mz_path_restore_inputs(void)
{
	MZ_REAL(memcpy)(mz_inputs_space->values, inputs_before, mz_inputs_space->nbytes);
	mz_inputs_forget_values();
}

/* ---- branches ---- */

static void add_taken(const struct mz_fiber *self, uint32_t condition, bool value)
{
	mz_array_require(&path.threads, &path.capacity, path.count + 1);
	mz_inputs_space->constraints[path.count] = (struct mz_constraint){condition, value};
	path.threads[path.count++] = self->index;
	struct mz_past *past = &path.pasts[self->index];
	past->hash = mz_hash2(mz_hash2(past->hash, mz_inputs_content(condition)), value);
	mz_rt.execution.schedule[mz_rt.execution.nsteps].choice |= MZ_STEP_BRANCH;
}

/* ---- branches with one possible outcome ---- */

/* Reports whether the n-th branch of the path is in the past of the thread. */
static bool is_past(uint32_t thread, uint32_t n)
{
	while (path.threads[n] != thread) {
		if (n >= path.pasts[thread].born) return false;
		thread = path.pasts[thread].creator;
	}
	return true;
}

/* Asks whether the condition can have the value, with the past of the thread. */
static enum mz_answer ask_past(uint32_t thread, uint32_t condition, bool value)
{
	static struct mz_constraint *all;
	static size_t capacity;
	struct mz_constraint *constraints = mz_inputs_space->constraints;
	uint32_t kept = 0;
	mz_array_require(&all, &capacity, path.count + 1);
	MZ_REAL(memcpy)(all, constraints, path.count * sizeof *all);
	for (uint32_t n = 0; n < path.count; n++)
		if (is_past(thread, n)) constraints[kept++] = all[n];
	enum mz_answer answer = mz_question_ask(kept, condition, value);
	MZ_REAL(memcpy)(constraints, all, path.count * sizeof *all);
	return answer;
}

/* What is known of branches, for the whole run, by past and condition. Workers have to agree on it even if only one of
 * them had its answer in time: it says which steps there are. */
enum outcomes { TWO_OUTCOMES = 1, ONE_OUTCOME, UNANSWERED };

static uint64_t key_of(uint32_t thread, uint32_t condition)
{
	return mz_hash2(path.pasts[thread].hash, mz_inputs_content(condition));
}

/* Reports whether the condition has this value in every schedule, by the past of the thread. */
static bool is_decided(uint32_t thread, uint32_t condition, bool value)
{
	static const uint8_t outcomes[] = {
	    [MZ_ANSWER_SAT] = TWO_OUTCOMES, [MZ_ANSWER_UNSAT] = ONE_OUTCOME, [MZ_ANSWER_UNKNOWN] = UNANSWERED};
	uint64_t key = key_of(thread, condition), found;
	if (!mz_agree_find(MZ_SUBJECT_OUTCOMES, key, &found))
		found = mz_agree_on(MZ_SUBJECT_OUTCOMES, key, outcomes[ask_past(thread, condition, !value)]);
	return found == ONE_OUTCOME;
}

/* Reports whether the solver has not answered the question before. More conditions would rather make it harder. */
static bool is_unanswered(uint32_t thread)
{
	uint64_t found;
	uint64_t key = key_of(thread, path.conditions[thread]);
	return mz_agree_find(MZ_SUBJECT_OUTCOMES, key, &found) && found == UNANSWERED;
}

bool mz_path_is_possible(uint32_t thread, uint32_t choice)
{
	if (is_unanswered(thread) || ask(path.conditions[thread], choice) != MZ_ANSWER_SAT) return false;
	bool cut = choice == 0 && mz_chain_is_last(thread);
	if (cut) mz_chain_cut(thread);
	return !cut;
}

/* ---- decisions together ---- */

/* Whether decisions are possible together, for the whole run, by their hash. */
enum { POSSIBLE = 1, IMPOSSIBLE };
static struct mz_table together;

static bool has(struct mz_decision decision)
{
	return mz_inputs_value(decision.condition) == decision.choice;
}

/* In the number by which the engine knows a condition: it is that a value is the last one to be tried, so that it does not
 * matter whether it may be false. */
#define LAST 0x80000000U

static uint32_t number_of(uint32_t thread, uint32_t condition)
{
	return mz_agree_number(condition) | (mz_chain_is_last(thread) ? LAST : 0);
}

/* Returns the same decisions, in terms of this worker's expressions. */
static const struct mz_decision *translate(const struct mz_decision *decisions, size_t count)
{
	static struct mz_decision *own;
	static size_t capacity;
	mz_array_require(&own, &capacity, count + 1);
	for (size_t n = 0; n < count; n++)
		own[n] = (struct mz_decision){mz_agree_expression(decisions[n].condition & ~LAST), decisions[n].choice};
	return own;
}

/* Makes constraints of the decisions that agree with the inputs of this execution. Returns the number of constraints,
 * and stores the other decisions in `*others`. */
static uint32_t part(const struct mz_decision *decisions, size_t count, struct mz_decision **others)
{
	static size_t capacity;
	uint32_t kept = 0;
	mz_array_require(others, &capacity, count + 1);
	for (size_t n = 0; n < count; n++) {
		if (has(decisions[n]))
			mz_inputs_space->constraints[kept++] =
			    (struct mz_constraint){decisions[n].condition, decisions[n].choice};
		else
			(*others)[n - kept] = decisions[n];
	}
	return kept;
}

/* Changes the inputs to some that have all of these decisions, one after another. Returns false if there are none, or
 * none were found in time. The constraints are overwritten. */
static bool find_inputs(const struct mz_decision *decisions, size_t count)
{
	static struct mz_decision *others;
	uint32_t kept = part(decisions, count, &others);
	for (size_t n = 0; kept < count; n++, kept++) {
		struct mz_decision next = others[n];
		bool had = has(next);
		if (!had && mz_question_ask(kept, next.condition, next.choice) != MZ_ANSWER_SAT) return false;
		if (!had) mz_question_take_model();
		mz_inputs_space->constraints[kept] = (struct mz_constraint){next.condition, next.choice};
	}
	return true;
}

/* Reports whether some inputs have all of these decisions. The inputs and the path stay as they are. */
static bool have_inputs(const struct mz_decision *decisions, size_t count)
{
	static struct mz_constraint *constraints;
	static size_t capacity;
	static uint8_t values[MZ_SPACE_BYTES];
	mz_array_require(&constraints, &capacity, path.count + 1);
	MZ_REAL(memcpy)(constraints, mz_inputs_space->constraints, path.count * sizeof *constraints);
	MZ_REAL(memcpy)(values, mz_inputs_space->values, mz_inputs_space->nbytes);
	bool found = find_inputs(decisions, count);
	MZ_REAL(memcpy)(mz_inputs_space->constraints, constraints, path.count * sizeof *constraints);
	MZ_REAL(memcpy)(mz_inputs_space->values, values, mz_inputs_space->nbytes);
	mz_inputs_forget_values();
	return found;
}

bool mz_path_are_possible(const struct mz_decision *decisions, size_t count)
{
	uint64_t key = 1; /* a sum, so that it does not depend on the order of the decisions */
	for (size_t n = 0; n < count; n++) key += mz_mix((uint64_t)decisions[n].condition << 1 | decisions[n].choice);
	uint64_t found = mz_table_find(&together, key);
	if (!found) {
		bool closed = false;
		for (size_t n = 0; n < count; n++) closed |= !decisions[n].choice && (decisions[n].condition & LAST);
		found = !closed && have_inputs(translate(decisions, count), count) ? POSSIBLE : IMPOSSIBLE;
		if (!mz_table_add(&together, key, found)) mz_unsupported("out of memory");
	}
	return found == POSSIBLE;
}

uint64_t mz_path_past(uint32_t thread)
{
	return path.pasts[thread].hash;
}

void mz_path_born(uint32_t thread, uint32_t creator)
{
	path.pasts[thread] = (struct mz_past){creator, path.count, path.pasts[creator].hash};
	mz_chain_forget(thread);
}

/* ---- steps ---- */

/* Reports whether the thread has branched on the condition before. */
static bool has_branched(const struct mz_fiber *self, uint32_t condition)
{
	for (uint32_t n = path.count; n-- > 0;) {
		if (mz_inputs_space->constraints[n].expression == condition && path.threads[n] == self->index)
			return true;
	}
	return false;
}

static struct mz_table places; /* by number of a condition: where a branch has it */

uint64_t mz_path_place_of(uint32_t condition)
{
	return mz_table_find(&places, mz_mix(condition));
}

static void note_place(uint32_t condition, uintptr_t caller)
{
	if (!mz_table_find_or_add(&places, mz_mix(condition), caller)) mz_unsupported("out of memory");
}

void mz_path_branch(struct mz_fiber *self, uint32_t condition, bool value, uintptr_t caller)
{
	if (!mz_inputs_space || !mz_inputs_variable(condition) || has_branched(self, condition)) return;
	if (mz_inputs_value(condition) != value) return; /* the shadow is not that of the value any more */
	if (path.count >= mz_rt.session->configuration.max_branches) mz_give_up(MZ_PATH_LIMIT_BRANCHES);
	if (is_decided(self->index, condition, value)) return;
	if (mz_rt.execution.section.thread) mz_section_refuse_choice();
	mz_accesses(self);
	const struct mz_operation operation = mz_choice(2);
	struct mz_pending *pending = &mz_rt.execution.pending[self->index];
	path.conditions[self->index] = condition;
	self->caller = caller;
	const struct mz_said said = mz_said_keep(self);
	mz_set_pending(self, operation, true);
	pending->decided = (uint8_t)(1 + value);
	pending->first = path.first == self->index + 1;
	pending->condition = number_of(self->index, condition);
	note_place(pending->condition, caller);
	mz_suspend(self, MZ_FIBER_PENDING);
	pending->first = false;
	add_taken(self, condition, value);
	mz_rt.execution.condition = pending->condition;
	mz_commit(self, operation);
	mz_rt.execution.condition = 0;
	mz_said_again(&said, self);
}

void mz_path_go_first(const struct mz_fiber *self, bool first)
{
	path.first = first ? self->index + 1 : 0;
}

bool mz_path_condition(uint32_t n, uint64_t *literal)
{
	if (n >= path.count) return false;
	const struct mz_constraint *constraint = &mz_inputs_space->constraints[n];
	*literal = mz_hash2(mz_inputs_content(constraint->expression), constraint->value);
	return true;
}

/* ---- executions and states ---- */

bool mz_inputs_is_used(void)
{
	return mz_inputs_space && mz_inputs_are_marked();
}

void mz_inputs_end(void)
{
	if (!mz_inputs_is_used()) return;
	mz_follow_end();
	mz_calls_end();
}

void mz_inputs_reset(void)
{
	path.count = path.first = 0;
	path.pasts[0] = (struct mz_past){0};
	mz_chain_forget(0);
	mz_symbolic_reset();
	if (!mz_inputs_space) return;
	mz_back_reset();
	mz_ahead_reset();
	mz_shadow_reset();
	mz_calls_reset();
}

/* Stores only the length of the path: a state is loaded by the execution that passed it, so the conditions are still
 * there. */
void mz_inputs_store(struct mz_state *state)
{
	uint64_t count = path.count;
	mz_state_put(state, &count, sizeof count);
	mz_state_put(state, &path.first, sizeof path.first);
	uint32_t nthreads = mz_rt.nfibers;
	mz_state_put(state, &nthreads, sizeof nthreads);
	mz_state_put(state, path.conditions, nthreads * sizeof *path.conditions);
	mz_state_put(state, path.pasts, nthreads * sizeof *path.pasts);
	mz_chain_store(state, nthreads);
	mz_symbolic_store(state);
	mz_back_store(state);
	mz_ahead_store(state);
	mz_calls_store(state);
	mz_follow_end();
	mz_shadow_store_all(state);
}

void mz_inputs_load(struct mz_state *state)
{
	uint64_t count;
	uint32_t nthreads;
	if (!state) {
		mz_inputs_reset();
		return;
	}
	mz_state_get(state, &count, sizeof count);
	path.count = (uint32_t)count;
	mz_state_get(state, &path.first, sizeof path.first);
	mz_state_get(state, &nthreads, sizeof nthreads);
	mz_state_get(state, path.conditions, nthreads * sizeof *path.conditions);
	mz_state_get(state, path.pasts, nthreads * sizeof *path.pasts);
	mz_chain_load(state, nthreads);
	mz_symbolic_load(state);
	mz_back_load(state);
	mz_ahead_load(state);
	mz_calls_load(state);
	mz_shadow_load_all(state);
}
