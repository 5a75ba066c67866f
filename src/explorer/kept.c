/* SPDX-License-Identifier: MIT */
#include "explorer/kept.h"
#include "base/alloc.h"
#include "explorer/counts.h"

/* The start. Behind it are the findings, what is hidden, the inputs and where they were lost sight of or limited, the
 * schedules of the findings, and what inputs had when each finding was made. */
struct head {
	struct mz_trunk_counts counts;
	uint32_t nfindings, findings_dropped;
	uint32_t nhidden, hidden_dropped;
	uint32_t unexplored, written, unwritten;
	uint32_t ninputs, nbytes, nlosses, nlimits;
	uint64_t undecided, disagreed, missed, lost, limited;
	uint64_t given_up[MZ_PATH_LIMIT_COUNT];
	uint32_t frames;
	struct mz_session_solver solver;
	struct mz_session_call uncontrolled[MZ_SESSION_CALLS];
	struct mz_session_unseen unseen;
	struct mz_session_reached reached[MZ_LIMIT_COUNT];
};

static size_t schedule_size(const struct mz_session_finding *finding)
{
	return finding->steps * sizeof(struct mz_step);
}

static char *put(char *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

static void fill_inputs(struct head *head, const struct mz_session_inputs *inputs)
{
	head->unexplored = inputs->unexplored;
	head->written = inputs->written;
	head->unwritten = inputs->unwritten;
	head->ninputs = inputs->count;
	head->nbytes = inputs->nbytes;
	head->nlosses = inputs->nlosses;
	head->nlimits = inputs->nlimits;
	head->undecided = inputs->undecided;
	head->disagreed = inputs->disagreed;
	head->missed = inputs->missed;
	head->lost = inputs->lost;
	head->limited = inputs->limited;
	head->solver = inputs->solver;
}

static void set_inputs(struct mz_session_inputs *inputs, const struct head *head)
{
	inputs->unexplored = head->unexplored;
	inputs->written = head->written;
	inputs->unwritten = head->unwritten;
	inputs->count = head->ninputs;
	inputs->nbytes = head->nbytes;
	inputs->nlosses = head->nlosses;
	inputs->nlimits = head->nlimits;
	inputs->undecided = head->undecided;
	inputs->disagreed = head->disagreed;
	inputs->missed = head->missed;
	inputs->lost = head->lost;
	inputs->limited = head->limited;
	inputs->solver = head->solver;
}

static void fill(struct head *head, const struct mz_session *session)
{
	head->counts = mz_counts_of(session);
	head->nfindings = session->nfindings;
	head->findings_dropped = session->findings_dropped;
	head->nhidden = session->nhidden;
	head->hidden_dropped = session->hidden_dropped;
	head->frames = session->frames;
	fill_inputs(head, &session->inputs);
	memcpy(head->uncontrolled, session->uncontrolled, sizeof head->uncontrolled);
	memcpy(&head->unseen, &session->unseen, sizeof head->unseen);
	memcpy(head->reached, session->reached, sizeof head->reached);
	memcpy(head->given_up, session->given_up, sizeof head->given_up);
}

/* Returns how many bytes a finding has besides its entry. */
static size_t finding_size(const struct mz_session_finding *finding, uint32_t nbytes)
{
	return schedule_size(finding) + (finding->inputs ? nbytes : 0);
}

void *mz_kept_write(const struct mz_session *session, size_t *size)
{
	const struct mz_session_inputs *inputs = &session->inputs;
	size_t findings = session->nfindings * sizeof *session->findings;
	size_t hidden = session->nhidden * sizeof *session->hidden;
	size_t places = (inputs->nlosses + inputs->nlimits) * sizeof *inputs->losses;
	*size = sizeof(struct head) + findings + hidden + inputs->count * sizeof *inputs->inputs + places;
	for (uint32_t i = 0; i < session->nfindings; i++) *size += finding_size(&session->findings[i], inputs->nbytes);
	char *bytes = mz_alloc(*size), *at = bytes + sizeof(struct head);
	if (!bytes) return NULL;
	memset(bytes, 0, sizeof(struct head));
	fill((struct head *)bytes, session);
	at = put(at, session->findings, findings);
	at = put(at, session->hidden, hidden);
	at = put(at, inputs->inputs, inputs->count * sizeof *inputs->inputs);
	at = put(at, inputs->losses, inputs->nlosses * sizeof *inputs->losses);
	at = put(at, inputs->limits, inputs->nlimits * sizeof *inputs->limits);
	for (uint32_t i = 0; i < session->nfindings; i++) {
		const struct mz_session_finding *finding = &session->findings[i];
		at = put(at, (const char *)session + finding->schedule, schedule_size(finding));
		if (finding->inputs) at = put(at, mz_session_found_inputs_of(session, finding), inputs->nbytes);
	}
	return bytes;
}

/* ---- reading ---- */

/* The bytes that were not taken yet. */
struct reader {
	const char *at;
	size_t left;
};

static bool take(struct reader *reader, void *to, size_t size)
{
	if (size > reader->left) return false;
	memcpy(to, reader->at, size);
	reader->at += size;
	reader->left -= size;
	return true;
}

static bool ends(const char *text, size_t size)
{
	return memchr(text, 0, size) != NULL;
}

static bool is_sound(const struct mz_session *session, const struct mz_session_finding *finding)
{
	return finding->kind < MZ_FINDING_COUNT && finding->steps <= session->configuration.max_steps &&
	       finding->files <= MZ_SESSION_FILES && ends(finding->message, sizeof finding->message);
}

static bool is_hidden(const struct mz_session_hidden *hidden)
{
	return hidden->kind <= MZ_HIDDEN_CODE && ends(hidden->place, sizeof hidden->place) &&
	       ends(hidden->what, sizeof hidden->what) && ends(hidden->module.path, sizeof hidden->module.path);
}

static bool check_head(const struct head *head)
{
	bool good = head->nfindings <= MZ_SESSION_FINDINGS && head->nhidden <= MZ_SESSION_HIDDEN;
	good &= head->ninputs <= MZ_SESSION_INPUTS && head->nbytes <= MZ_SESSION_INPUT_BYTES;
	good &= head->nlosses <= MZ_SESSION_LOSSES && head->nlimits <= MZ_SESSION_LIMITS;
	for (size_t i = 0; i < MZ_SESSION_CALLS; i++)
		good &= ends(head->uncontrolled[i].name, sizeof head->uncontrolled[i].name);
	for (size_t i = 0; i < 2; i++) good &= ends(head->unseen.modules[i].path, sizeof head->unseen.modules[i].path);
	return good;
}

static bool read_places(struct mz_session_lost *places, uint32_t count, struct reader *reader)
{
	for (uint32_t i = 0; i < count; i++) {
		struct mz_session_lost *place = &places[i];
		if (!take(reader, place, sizeof *place)) return false;
		if (!ends(place->what, sizeof place->what) || !ends(place->module.path, sizeof place->module.path))
			return false;
	}
	return true;
}

static bool read_inputs(struct mz_session_inputs *inputs, const struct head *head, struct reader *reader)
{
	for (uint32_t i = 0; i < head->ninputs; i++) {
		struct mz_session_input *input = &inputs->inputs[i];
		if (!take(reader, input, sizeof *input) || !ends(input->name, sizeof input->name)) return false;
		if (input->first > head->nbytes || input->size > head->nbytes - input->first) return false;
	}
	return read_places(inputs->losses, head->nlosses, reader) && read_places(inputs->limits, head->nlimits, reader);
}

/* Takes the schedules of the findings, and their inputs. */
static bool read_found(struct mz_session *session, const struct head *head, struct reader *reader)
{
	for (uint32_t i = 0; i < head->nfindings; i++) {
		const struct mz_session_finding *finding = &session->findings[i];
		if (!take(reader, mz_session_schedule(session, i), schedule_size(finding))) return false;
		if (finding->inputs && !take(reader, mz_session_found_inputs(session, i), head->nbytes)) return false;
	}
	return true;
}

static bool read_lists(struct mz_session *session, const struct head *head, struct reader *reader)
{
	for (uint32_t i = 0; i < head->nfindings; i++) {
		struct mz_session_finding *finding = &session->findings[i];
		if (!take(reader, finding, sizeof *finding) || !is_sound(session, finding)) return false;
		if (finding->inputs > head->ninputs) return false;
		finding->schedule = (uint64_t)((char *)mz_session_schedule(session, i) - (char *)session);
	}
	for (uint32_t i = 0; i < head->nhidden; i++) {
		struct mz_session_hidden *hidden = &session->hidden[i];
		if (!take(reader, hidden, sizeof *hidden) || !is_hidden(hidden)) return false;
	}
	if (!read_inputs(&session->inputs, head, reader) || !read_found(session, head, reader)) return false;
	return reader->left == 0;
}

bool mz_kept_read(struct mz_session *session, const void *bytes, size_t size)
{
	struct head head;
	struct reader reader = {bytes, size};
	if (!take(&reader, &head, sizeof head) || !check_head(&head)) return false;
	if (!read_lists(session, &head, &reader)) return false;
	mz_counts_set(session, head.counts);
	session->nfindings = head.nfindings;
	session->findings_dropped = head.findings_dropped;
	session->nhidden = head.nhidden;
	session->hidden_dropped = head.hidden_dropped;
	session->frames = head.frames;
	set_inputs(&session->inputs, &head);
	memcpy(session->uncontrolled, head.uncontrolled, sizeof head.uncontrolled);
	memcpy(&session->unseen, &head.unseen, sizeof head.unseen);
	memcpy(session->reached, head.reached, sizeof head.reached);
	memcpy(session->given_up, head.given_up, sizeof head.given_up);
	return true;
}
