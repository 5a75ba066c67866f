/* SPDX-License-Identifier: MIT */
#include "runtime/inputs/chain.h"
#include "runtime/inputs/lost.h"
#include "runtime/inputs/question.h"
#include "runtime/inputs/values.h"

static struct mz_link links[MZ_SESSION_THREADS];

struct mz_link *mz_chain_link(uint32_t thread)
{
	return &links[thread];
}

/* ---- the limit ---- */

static bool is_last(const struct mz_link *link)
{
	return link->expression && link->n + 1 >= mz_rt.session->configuration.max_values;
}

bool mz_chain_is_last(uint32_t thread)
{
	return is_last(&links[thread]);
}

void mz_chain_cut(uint32_t thread)
{
	mz_inputs_limit(links[thread].caller);
}

/* ---- the second and the third value ---- */

/* Reports whether the limit might keep some values from being tried. */
static bool is_wide(unsigned width)
{
	return width >= 32 || 1ULL << width > mz_rt.session->configuration.max_values;
}

void mz_chain_steer(uint32_t thread, uint32_t count)
{
	const struct mz_link *link = &links[thread];
	if (!link->expression || link->n > 1) return;
	unsigned width = mz_inputs_space->expressions[link->expression].width;
	bool highest = link->n == 0;
	for (unsigned bit = is_wide(width) ? width : 0; bit-- > 0;) {
		uint32_t condition = mz_inputs_make(MZ_OPERATOR_EXTRACT, 1, link->expression, 0, bit);
		bool is_sign = link->is_signed && bit == width - 1;
		if (!mz_inputs_variable(condition)) continue;
		enum mz_answer answer = mz_question_prefer(count, condition, highest != is_sign);
		if (answer == MZ_ANSWER_UNKNOWN) return;
		count += answer == MZ_ANSWER_SAT;
	}
}

/* ---- states ---- */

void mz_chain_forget(uint32_t thread)
{
	links[thread].expression = 0;
}

void mz_chain_store(struct mz_state *state, uint32_t nthreads)
{
	mz_state_put(state, links, nthreads * sizeof *links);
}

void mz_chain_load(struct mz_state *state, uint32_t nthreads)
{
	mz_state_get(state, links, nthreads * sizeof *links);
}
