/* SPDX-License-Identifier: MIT */
#include "explorer/merge.h"
#include <string.h>

/* ---- findings ---- */

static void put_finding(struct mz_session *to, uint32_t n, const struct mz_session *from,
                        const struct mz_session_finding *finding)
{
	struct mz_step *schedule = mz_session_schedule(to, n);
	to->findings[n] = *finding;
	to->findings[n].schedule = (uint64_t)((char *)schedule - (char *)to);
	memcpy(schedule, (const char *)from + finding->schedule, finding->steps * sizeof *schedule);
	if (finding->inputs)
		memcpy(mz_session_found_inputs(to, n), mz_session_found_inputs_of(from, finding), from->inputs.nbytes);
}

/* Returns whether a finding that one worker stopped at is only what came of the data race that another one stopped at. */
static bool is_explained(const struct mz_session *session, const struct mz_session_finding *finding)
{
	return session->nfindings == 1 && session->findings[0].unseen && finding->kind == MZ_FINDING_DATA_RACE;
}

/* Adds a finding. If it is there already, that of the smaller bound stays. */
static void add_finding(struct mz_session *to, const struct mz_session *from, const struct mz_session_finding *finding)
{
	uint32_t n = mz_session_find(to, finding->kind, finding->key);
	if (n < to->nfindings) {
		uint32_t parts = to->findings[n].parts | finding->parts;
		uint32_t unordered = to->findings[n].unordered;
		if (finding->unordered > unordered) unordered = finding->unordered;
		if (finding->bound < to->findings[n].bound) put_finding(to, n, from, finding);
		to->findings[n].parts = parts;
		to->findings[n].unordered = unordered;
		return;
	}
	if (to->nfindings && !to->configuration.keep_going) {
		if (is_explained(to, finding)) put_finding(to, 0, from, finding);
		return;
	}
	if (to->nfindings == MZ_SESSION_FINDINGS) {
		to->findings_dropped++;
		return;
	}
	put_finding(to, to->nfindings, from, finding);
	to->nfindings++;
}

/* ---- what was not seen ---- */

static void add_calls(struct mz_session *to, const struct mz_session *from)
{
	for (size_t i = 0; i < MZ_SESSION_CALLS; i++) {
		const struct mz_session_call *call = &from->uncontrolled[i];
		if (!*call->name) continue;
		memcpy(to->uncontrolled[i].name, call->name, sizeof call->name);
		to->uncontrolled[i].calls += call->calls;
	}
}

static void add_hidden(struct mz_session *to, const struct mz_session *from)
{
	for (uint32_t i = 0; i < from->nhidden; i++) mz_session_hide(to, &from->hidden[i]);
	to->hidden_dropped += from->hidden_dropped;
}

/* ---- inputs ---- */

/* Adds the places of a list to those of another one, which has room for `most`. */
static void add_places(struct mz_session_lost *to, uint32_t *count, uint32_t most, const struct mz_session_lost *from,
                       uint32_t nfrom)
{
	for (uint32_t i = 0; i < nfrom; i++) {
		uint32_t n = 0;
		while (n < *count && to[n].code != from[i].code) n++;
		if (n == most) continue;
		uint64_t before = n < *count ? to[n].count : 0;
		to[n] = from[i];
		to[n].count += before;
		if (n == *count) *count = n + 1;
	}
}

/* Workers that share a search have the same inputs in the same order, but may not have heard of the last ones. */
static void add_known_inputs(struct mz_session_inputs *to, const struct mz_session_inputs *from)
{
	for (uint32_t n = 0; n < from->count; n++) {
		uint32_t marked = from->inputs[n].marked | (n < to->count ? to->inputs[n].marked : 0);
		if (n >= to->count) to->inputs[n] = from->inputs[n];
		to->inputs[n].marked = marked;
	}
	if (from->count > to->count) to->count = from->count;
	if (from->nbytes > to->nbytes) to->nbytes = from->nbytes;
}

static void add_inputs(struct mz_session_inputs *to, const struct mz_session_inputs *from)
{
	add_known_inputs(to, from);
	to->unexplored |= from->unexplored;
	if (from->written > to->written) to->written = from->written; /* each has heard of all, or of the first ones */
	to->unwritten += from->unwritten;
	to->undecided += from->undecided;
	to->disagreed += from->disagreed;
	to->missed += from->missed;
	to->lost += from->lost;
	to->limited += from->limited;
	to->solver.queries += from->solver.queries;
	to->solver.sat += from->solver.sat;
	to->solver.unsat += from->solver.unsat;
	to->solver.timeouts += from->solver.timeouts;
	to->solver.nanoseconds += from->solver.nanoseconds;
	add_places(to->losses, &to->nlosses, MZ_SESSION_LOSSES, from->losses, from->nlosses);
	add_places(to->limits, &to->nlimits, MZ_SESSION_LIMITS, from->limits, from->nlimits);
}

/* ---- all of it ---- */

static void add_reached(struct mz_session_reached *to, const struct mz_session_reached *from)
{
	for (size_t i = 0; i < MZ_LIMIT_COUNT; i++) {
		to[i].count += from[i].count;
		if (from[i].most > to[i].most) to[i].most = from[i].most;
	}
}

static void add_counts(struct mz_session *to, const struct mz_session *from)
{
	to->executions += from->executions;
	to->redundant += from->redundant;
	to->traces += from->traces;
	to->traces_known |= from->traces_known;
	to->steps += from->steps;
	to->cut += from->cut;
	to->assumed += from->assumed;
	to->running |= from->running;
	to->never_ends |= from->never_ends;
	to->raced |= from->raced;
	to->frames |= from->frames;
	if (from->nanoseconds > to->nanoseconds) to->nanoseconds = from->nanoseconds;
}

void mz_merge(struct mz_session *to, const struct mz_session *from)
{
	add_counts(to, from);
	for (uint32_t i = 0; i < from->nfindings; i++) add_finding(to, from, &from->findings[i]);
	to->findings_dropped += from->findings_dropped;
	add_calls(to, from);
	if (!to->unseen.filled && from->unseen.filled) memcpy(&to->unseen, &from->unseen, sizeof to->unseen);
	add_hidden(to, from);
	add_reached(to->reached, from->reached);
	for (int n = 0; n < MZ_PATH_LIMIT_COUNT; n++) to->given_up[n] += from->given_up[n];
	add_inputs(&to->inputs, &from->inputs);
}

void mz_merge_forget_found(struct mz_session *session)
{
	struct mz_session_inputs *inputs = &session->inputs;
	session->nfindings = session->findings_dropped = session->nhidden = session->hidden_dropped = 0;
	memset(session->uncontrolled, 0, sizeof session->uncontrolled);
	memset(&session->unseen, 0, sizeof session->unseen);
	memset(session->reached, 0, sizeof session->reached);
	memset(session->given_up, 0, sizeof session->given_up);
	inputs->unwritten = inputs->nlosses = inputs->nlimits = 0;
	inputs->undecided = inputs->disagreed = inputs->missed = inputs->lost = inputs->limited = 0;
	inputs->solver = (struct mz_session_solver){0};
}
