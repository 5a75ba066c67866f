/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/question.h"
#include "concolic/solver.h"
#include "runtime/inputs/values.h"
#include <errno.h>
#include <unistd.h>

static bool send_byte(char byte)
{
	ssize_t n;
	do n = MZ_REAL(write)(mz_rt.session->inputs.socket, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

static bool receive_byte(char *byte)
{
	ssize_t n;
	do n = MZ_REAL(read)(mz_rt.session->inputs.socket, byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

static bool talk(void)
{
	char answer;
	return send_byte(MZ_SOLVER_ASK) && receive_byte(&answer) && answer == MZ_SOLVER_ANSWERED;
}

/* Counts in the session what the solver was asked since the last time, by this process. */
static void count_questions(bool starts)
{
	static struct mz_solver_counts before;
	const struct mz_solver_counts now = mz_inputs_space->counts;
	struct mz_session_solver *sum = &mz_rt.session->inputs.solver;
	if (!starts) {
		sum->queries += now.queries - before.queries;
		sum->sat += now.sat - before.sat;
		sum->unsat += now.unsat - before.unsat;
		sum->timeouts += now.timeouts - before.timeouts;
		sum->nanoseconds += now.nanoseconds - before.nanoseconds;
	}
	before = now;
}

void mz_question_start(void)
{
	char greeting = (char)(MZ_SOLVER_GREETINGS + mz_inputs_space->greetings++ % MZ_SOLVER_GREETINGS), answer = 0;
	atomic_store_explicit(&mz_rt.session->thinking, MZ_SESSION_THINKING, memory_order_relaxed);
	bool answered = send_byte(greeting);
	while (answered && answer != greeting) answered = receive_byte(&answer);
	atomic_store_explicit(&mz_rt.session->thinking, 0, memory_order_relaxed);
	if (!answered) mz_unsupported("the solver has ended unexpectedly");
	/* The worker that had the space before may have been killed in the middle of something. Only now the solver does not read it. */
	mz_inputs_space->nbytes = mz_rt.session->inputs.nbytes;
	mz_inputs_space->timeout_ms = (uint32_t)(mz_rt.session->configuration.solver_timeout * 1000);
	count_questions(true);
}

enum mz_answer mz_question_ask(uint32_t count, uint32_t condition, uint32_t value)
{
	if (count >= MZ_SPACE_CONSTRAINTS) return MZ_ANSWER_UNSAT; /* --max-branches ends paths before that */
	mz_inputs_space->constraints[count] = (struct mz_constraint){condition, value};
	mz_inputs_space->nconstraints = count + 1;
	mz_inputs_space->answer = MZ_ANSWER_NONE;
	atomic_store_explicit(&mz_rt.session->thinking, MZ_SESSION_THINKING, memory_order_relaxed);
	bool answered = talk();
	atomic_store_explicit(&mz_rt.session->thinking, 0, memory_order_relaxed);
	if (!answered) mz_unsupported("the solver has ended unexpectedly");
	count_questions(false);
	if (mz_inputs_space->answer == MZ_ANSWER_UNKNOWN) mz_rt.session->inputs.undecided++;
	return (enum mz_answer)mz_inputs_space->answer;
}

void mz_question_take_model(void)
{
	MZ_REAL(memcpy)(mz_inputs_space->values, mz_inputs_space->model, mz_inputs_space->nbytes);
	mz_inputs_forget_values();
}

#define QUICK_MS 300

enum mz_answer mz_question_prefer(uint32_t count, uint32_t condition, bool value)
{
	uint32_t limit = mz_inputs_space->timeout_ms;
	uint64_t undecided = mz_rt.session->inputs.undecided;
	if (count == MZ_SPACE_CONSTRAINTS) return MZ_ANSWER_UNKNOWN;
	if (mz_inputs_value(condition) != value) {
		mz_inputs_space->timeout_ms = limit && limit < QUICK_MS ? limit : QUICK_MS;
		enum mz_answer answer = mz_question_ask(count, condition, value);
		mz_inputs_space->timeout_ms = limit;
		mz_rt.session->inputs.undecided = undecided; /* nothing is left out */
		if (answer != MZ_ANSWER_SAT) return answer;
		mz_question_take_model();
	}
	mz_inputs_space->constraints[count] = (struct mz_constraint){condition, value};
	return MZ_ANSWER_SAT;
}
