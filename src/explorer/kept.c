/* SPDX-License-Identifier: MIT */
#include "explorer/kept.h"
#include "base/alloc.h"
#include "explorer/counts.h"

/* The start. Behind it are the findings, what is hidden, and the schedules of the findings. */
struct head {
	struct mz_trunk_counts counts;
	uint32_t nfindings, findings_dropped;
	uint32_t nhidden, hidden_dropped;
	uint32_t unexplored;
	struct mz_session_call uncontrolled[MZ_SESSION_CALLS];
	struct mz_session_unseen unseen;
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

static void fill(struct head *head, const struct mz_session *session)
{
	head->counts = mz_counts_of(session);
	head->nfindings = session->nfindings;
	head->findings_dropped = session->findings_dropped;
	head->nhidden = session->nhidden;
	head->hidden_dropped = session->hidden_dropped;
	head->unexplored = session->inputs.unexplored;
	memcpy(head->uncontrolled, session->uncontrolled, sizeof head->uncontrolled);
	memcpy(&head->unseen, &session->unseen, sizeof head->unseen);
}

void *mz_kept_write(const struct mz_session *session, size_t *size)
{
	size_t findings = session->nfindings * sizeof *session->findings;
	size_t hidden = session->nhidden * sizeof *session->hidden;
	*size = sizeof(struct head) + findings + hidden;
	for (uint32_t i = 0; i < session->nfindings; i++) *size += schedule_size(&session->findings[i]);
	char *bytes = mz_alloc(*size), *at = bytes + sizeof(struct head);
	if (!bytes) return NULL;
	memset(bytes, 0, sizeof(struct head));
	fill((struct head *)bytes, session);
	at = put(at, session->findings, findings);
	at = put(at, session->hidden, hidden);
	for (uint32_t i = 0; i < session->nfindings; i++) {
		const struct mz_session_finding *finding = &session->findings[i];
		at = put(at, (const char *)session + finding->schedule, schedule_size(finding));
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
	for (size_t i = 0; i < MZ_SESSION_CALLS; i++)
		good &= ends(head->uncontrolled[i].name, sizeof head->uncontrolled[i].name);
	for (size_t i = 0; i < 2; i++) good &= ends(head->unseen.modules[i].path, sizeof head->unseen.modules[i].path);
	return good;
}

static bool read_lists(struct mz_session *session, const struct head *head, struct reader *reader)
{
	for (uint32_t i = 0; i < head->nfindings; i++) {
		struct mz_session_finding *finding = &session->findings[i];
		if (!take(reader, finding, sizeof *finding) || !is_sound(session, finding)) return false;
		finding->schedule = (uint64_t)((char *)mz_session_schedule(session, i) - (char *)session);
		finding->inputs = 0;
	}
	for (uint32_t i = 0; i < head->nhidden; i++) {
		struct mz_session_hidden *hidden = &session->hidden[i];
		if (!take(reader, hidden, sizeof *hidden) || !is_hidden(hidden)) return false;
	}
	for (uint32_t i = 0; i < head->nfindings; i++) {
		struct mz_step *schedule = mz_session_schedule(session, i);
		if (!take(reader, schedule, schedule_size(&session->findings[i]))) return false;
	}
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
	session->inputs.unexplored = head.unexplored;
	memcpy(session->uncontrolled, head.uncontrolled, sizeof head.uncontrolled);
	memcpy(&session->unseen, &head.unseen, sizeof head.unseen);
	return true;
}
