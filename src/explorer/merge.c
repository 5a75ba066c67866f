/* SPDX-License-Identifier: MIT */
#include "explorer/merge.h"
#include <string.h>

/* ---- findings ---- */

static bool has_finding(const struct mz_session *session, const struct mz_session_finding *finding)
{
	return mz_session_find(session, finding->kind, finding->key) < session->nfindings;
}

static void add_finding(struct mz_session *to, const struct mz_session *from, const struct mz_session_finding *finding)
{
	if (has_finding(to, finding) || (to->nfindings && !to->configuration.keep_going)) return;
	if (to->nfindings == MZ_SESSION_FINDINGS) {
		to->findings_dropped++;
		return;
	}
	struct mz_step *schedule = mz_session_schedule(to, to->nfindings);
	to->findings[to->nfindings] = *finding;
	to->findings[to->nfindings].schedule = (uint64_t)((char *)schedule - (char *)to);
	memcpy(schedule, (const char *)from + finding->schedule, finding->steps * sizeof *schedule);
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

/* ---- all of it ---- */

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
	to->inputs.unexplored |= from->inputs.unexplored;
}
