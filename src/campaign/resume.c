/* SPDX-License-Identifier: MIT */
#include "campaign/resume.h"
#include "base/alloc.h"
#include "campaign/output.h"
#include "report/say.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x6d7a726573756d65ULL
#define INTERVAL_SECONDS 5.0 /* between two times that the work is kept, at least, */
#define SHARE 0.01           /* and as long as keeping it takes no larger part of the time */

/* The start of the file. Behind it are the environment, the session, the schedules of its findings, and the trunk. */
struct head {
	uint64_t magic;
	struct mz_resume_subject subject;
	double seconds;
	uint64_t environment_size, session_size, schedules_size, trunk_size;
	struct mz_key check; /* hash of everything else */
};

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- what a run is of ---- */

static struct mz_key hash_arguments(char *const *argv)
{
	struct mz_key hash = {0};
	for (; *argv; argv++) hash = mz_hash_bytes(*argv, strlen(*argv) + 1, hash);
	return hash;
}

/* Says in `subject` what the run is of. What only decides how long it goes on, or how fast, is left out. */
static int describe(struct mz_resume_subject *subject, const struct mz_subject *program)
{
	const struct mz_configuration standard = mz_configuration_default();
	struct mz_configuration *c = &subject->configuration;
	memset(subject, 0, sizeof *subject);
	if (mz_program_identity("/proc/self/exe", subject->mazurka) != 0)
		return mz_refuse("cannot read /proc/self/exe: %s", strerror(errno));
	snprintf(subject->program, sizeof subject->program, "%s", program->identity);
	subject->arguments = hash_arguments(program->argv);
	memcpy(c, &program->configuration, sizeof *c);
	c->jobs = standard.jobs;
	c->keep_going = standard.keep_going;
	c->max_executions = standard.max_executions;
	c->max_memory = standard.max_memory;
	c->timeout = standard.timeout;
	c->stall_timeout = standard.stall_timeout;
	c->checkpoints = standard.checkpoints;
	c->no_checkpoints = standard.no_checkpoints;
	return 0;
}

static bool same_value(const struct mz_option *option, const void *a, const void *b)
{
	switch (option->kind) {
	case MZ_OPTION_NUMBER:
	case MZ_OPTION_PAIR:
	case MZ_OPTION_SIZE:
	case MZ_OPTION_SECONDS: return memcmp(a, b, sizeof(uint64_t)) == 0;
	case MZ_OPTION_STRATEGY: return strncmp(a, b, MZ_NAME_SIZE) == 0;
	case MZ_OPTION_FAULTS: return strncmp(a, b, MZ_FAIL_SIZE) == 0;
	default: return memcmp(a, b, sizeof(uint32_t)) == 0;
	}
}

/* Returns the name of an option that two configurations do not have in common, or NULL. */
static const char *find_difference(const struct mz_configuration *a, const struct mz_configuration *b)
{
	const struct mz_option *option;
	for (size_t n = 0; (option = mz_configuration_option(n)); n++)
		if (!same_value(option, (const char *)a + option->offset, (const char *)b + option->offset))
			return option->name;
	return NULL;
}

static int check_subject(const struct mz_resume *resume, const struct mz_resume_subject *kept)
{
	const struct mz_resume_subject *subject = &resume->subject;
	const char *option = find_difference(&subject->configuration, &kept->configuration), *what = NULL;
	char text[64];
	if (memcmp(subject->mazurka, kept->mazurka, sizeof kept->mazurka) != 0)
		what = "another build of mazurka";
	else if (memcmp(subject->program, kept->program, sizeof kept->program) != 0)
		what = "another build of the program";
	else if (subject->arguments.low != kept->arguments.low || subject->arguments.high != kept->arguments.high)
		what = "other arguments of the program";
	else if (option)
		what = text;
	if (option) snprintf(text, sizeof text, "another value of %s", option);
	if (!what) return 0;
	return mz_refuse("'%s' holds a run with %s: give another folder, or remove it to begin anew", resume->folder,
	                 what);
}

/* ---- writing ---- */

static size_t schedules_size(const struct mz_session *session)
{
	size_t size = 0;
	for (uint32_t i = 0; i < session->nfindings; i++) size += session->findings[i].steps * sizeof(struct mz_step);
	return size;
}

static char *put(char *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* Returns everything that the file is to have, or NULL when there is no memory. */
static char *compose(const struct mz_resume *resume, const struct mz_session *session, const void *trunk, size_t size,
                     size_t *total)
{
	size_t schedules = schedules_size(session);
	*total = sizeof(struct head) + resume->environment_size + sizeof *session + schedules + size;
	char *bytes = mz_alloc(*total), *at = bytes + sizeof(struct head);
	if (!bytes) return NULL;
	memset(bytes, 0, sizeof(struct head));
	struct head *head = (struct head *)bytes;
	head->magic = MAGIC;
	memcpy(&head->subject, &resume->subject, sizeof head->subject);
	head->seconds = resume->seconds + now() - resume->started;
	head->environment_size = resume->environment_size;
	head->session_size = sizeof *session;
	head->schedules_size = schedules;
	head->trunk_size = size;
	at = put(at, resume->environment_text, resume->environment_size);
	at = put(at, session, sizeof *session);
	for (uint32_t i = 0; i < session->nfindings; i++)
		at = put(at, (const char *)session + session->findings[i].schedule,
		         session->findings[i].steps * sizeof(struct mz_step));
	put(at, trunk, size);
	head->check = mz_hash_bytes(bytes, *total, (struct mz_key){0});
	return bytes;
}

static int write_file(const struct mz_resume *resume, const char *bytes, size_t size)
{
	struct mz_output output;
	if (mz_output_open(&output, resume->path) != 0) return -1;
	fchmod(fileno(output.out), 0600); /* the environment is in it */
	bool good = fwrite(bytes, 1, size, output.out) == size && fflush(output.out) == 0;
	good = good && fsync(fileno(output.out)) == 0;
	return mz_output_close(&output, good);
}

static bool is_due(void *self)
{
	const struct mz_resume *resume = self;
	return now() >= resume->next;
}

static void keep(void *self, const struct mz_session *session, const void *trunk, size_t size)
{
	struct mz_resume *resume = self;
	double start = now();
	size_t total;
	char *bytes = compose(resume, session, trunk, size, &total);
	errno = ENOMEM;
	if ((!bytes || write_file(resume, bytes, total) != 0) && !resume->failed) {
		mz_refuse("cannot write '%s': %s", resume->path, strerror(errno));
		resume->failed = true;
	}
	mz_free(bytes);
	double took = now() - start, pause = took / SHARE;
	resume->next = now() + (pause > INTERVAL_SECONDS ? pause : INTERVAL_SECONDS);
}

/* ---- reading ---- */

/* The bytes of the file that were not taken yet. */
struct reader {
	const char *at;
	size_t left;
};

static const void *take(struct reader *reader, size_t size)
{
	const void *bytes = reader->at;
	if (size > reader->left) return NULL;
	reader->at += size;
	reader->left -= size;
	return bytes;
}

static bool ends(const char *text, size_t size)
{
	return memchr(text, 0, size) != NULL;
}

/* Takes over the findings of a session, with their schedules. Returns false if they make no sense. */
static bool take_findings(struct mz_session *to, const struct mz_session *from, struct reader *schedules)
{
	if (from->nfindings > MZ_SESSION_FINDINGS) return false;
	for (uint32_t i = 0; i < from->nfindings; i++) {
		struct mz_session_finding *finding = &to->findings[to->nfindings++];
		*finding = from->findings[i];
		if (finding->kind >= MZ_FINDING_COUNT || finding->steps > to->configuration.max_steps) return false;
		if (finding->files > MZ_SESSION_FILES || !ends(finding->message, sizeof finding->message)) return false;
		const void *steps = take(schedules, finding->steps * sizeof(struct mz_step));
		if (!steps) return false;
		struct mz_step *schedule = mz_session_schedule(to, i);
		memcpy(schedule, steps, finding->steps * sizeof *schedule);
		finding->schedule = (uint64_t)((char *)schedule - (char *)to);
		finding->inputs = 0;
	}
	to->findings_dropped = from->findings_dropped;
	return schedules->left == 0;
}

/* Takes over what was not seen. Returns false if that makes no sense. */
static bool take_unseen(struct mz_session *to, const struct mz_session *from)
{
	bool good = from->nhidden <= MZ_SESSION_HIDDEN;
	for (size_t i = 0; i < MZ_SESSION_CALLS; i++)
		good &= ends(from->uncontrolled[i].name, sizeof from->uncontrolled[i].name);
	for (size_t i = 0; i < 2; i++) good &= ends(from->unseen.modules[i].path, sizeof from->unseen.modules[i].path);
	for (uint32_t i = 0; good && i < from->nhidden; i++) {
		const struct mz_session_hidden *hidden = &from->hidden[i];
		good = hidden->kind <= MZ_HIDDEN_CODE && ends(hidden->place, sizeof hidden->place) &&
		       ends(hidden->what, sizeof hidden->what) && ends(hidden->module.path, sizeof hidden->module.path);
	}
	if (!good) return false;
	memcpy(to->uncontrolled, from->uncontrolled, sizeof to->uncontrolled);
	memcpy(&to->unseen, &from->unseen, sizeof to->unseen);
	memcpy(to->hidden, from->hidden, sizeof to->hidden);
	to->nhidden = from->nhidden;
	to->hidden_dropped = from->hidden_dropped;
	to->inputs.unexplored = from->inputs.unexplored;
	return true;
}

/* Takes over the counts: they are those of the result if nothing is explored any more. */
static void take_counts(struct mz_session *to, const struct mz_session *from)
{
	to->executions = from->executions;
	to->redundant = from->redundant;
	to->traces = from->traces;
	to->steps = from->steps;
	to->cut = from->cut;
	to->assumed = from->assumed;
}

/* Makes the list of strings that environment_text has. */
static bool take_environment(struct mz_resume *resume, const char *text, size_t size)
{
	size_t count = 0;
	if (size && text[size - 1]) return false;
	for (size_t i = 0; i < size; i++) count += !text[i];
	char *copy = mz_alloc(size + 1);
	char **list = mz_alloc((count + 1) * sizeof *list);
	resume->environment_text = copy;
	resume->environment = list;
	resume->environment_size = size;
	if (!copy || !list) return false;
	memcpy(copy, text, size);
	for (size_t n = 0; n < count; n++, copy += strlen(copy) + 1) list[n] = copy;
	list[count] = NULL;
	return true;
}

/* Takes over what an earlier run left behind the head of the file. Returns false if that makes no sense. */
static bool take_parts(struct mz_resume *resume, const struct head *head, struct reader *reader)
{
	const char *environment = take(reader, head->environment_size);
	const struct mz_session *session = take(reader, head->session_size);
	struct reader schedules = {take(reader, head->schedules_size), head->schedules_size};
	const void *trunk = take(reader, head->trunk_size);
	if (!environment || !session || !schedules.at || !trunk || reader->left) return false;
	if (head->session_size != sizeof *session) return false;
	if (!take_environment(resume, environment, head->environment_size)) return false;
	if (!take_findings(resume->kept.session, session, &schedules)) return false;
	if (!take_unseen(resume->kept.session, session)) return false;
	take_counts(resume->kept.session, session);
	resume->trunk = mz_alloc(head->trunk_size + 1);
	if (!resume->trunk) return false;
	memcpy(resume->trunk, trunk, head->trunk_size);
	resume->keeper.session = resume->kept.session;
	resume->keeper.trunk = resume->trunk;
	resume->keeper.trunk_size = head->trunk_size;
	resume->seconds = head->seconds;
	return true;
}

/* Reads the whole file. Returns its bytes, or NULL with errno set. */
static char *read_file(const char *path, size_t *size)
{
	FILE *in = fopen(path, "re");
	if (!in) return NULL;
	struct stat status;
	char *bytes = fstat(fileno(in), &status) == 0 ? mz_alloc((size_t)status.st_size + 1) : NULL;
	if (bytes) *size = fread(bytes, 1, (size_t)status.st_size, in);
	fclose(in);
	return bytes;
}

static int take_file(struct mz_resume *resume, char *bytes, size_t size)
{
	struct head head;
	struct reader reader = {bytes, size};
	bool good = size >= sizeof head;
	if (good) {
		memcpy(&head, take(&reader, sizeof head), sizeof head);
		memset(bytes + offsetof(struct head, check), 0, sizeof head.check);
		struct mz_key check = mz_hash_bytes(bytes, size, (struct mz_key){0});
		good = head.magic == MAGIC && check.low == head.check.low && check.high == head.check.high;
	}
	int refused = good ? check_subject(resume, &head.subject) : 0;
	if (refused) return refused;
	if (good && take_parts(resume, &head, &reader)) return 0;
	return mz_refuse("'%s' is damaged, or was written by another version of mazurka: remove it to begin anew",
	                 resume->path);
}

/* ---- the folder ---- */

static int lock_folder(struct mz_resume *resume)
{
	if (mz_output_make_keep(resume->folder) != 0) return MZ_EXIT_USAGE;
	resume->lock = open(resume->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (resume->lock < 0) return mz_refuse("cannot open '%s': %s", resume->folder, strerror(errno));
	if (flock(resume->lock, LOCK_EX | LOCK_NB) == 0) return 0;
	return mz_refuse("another run keeps its work in '%s': give another folder, or wait for its end",
	                 resume->folder);
}

/* Notes our own environment, for the program now and later. */
static bool note_environment(struct mz_resume *resume)
{
	size_t size = 0, at = 0;
	for (char **one = environ; *one; one++) size += strlen(*one) + 1;
	char *text = mz_alloc(size + 1);
	if (!text) return false;
	for (char **one = environ; *one; one++) {
		strcpy(text + at, *one);
		at += strlen(*one) + 1;
	}
	bool good = take_environment(resume, text, size);
	mz_free(text);
	return good;
}

static int read_folder(struct mz_resume *resume)
{
	size_t size = 0;
	char *bytes = read_file(resume->path, &size);
	if (!bytes && errno == ENOENT) return note_environment(resume) ? 0 : mz_refuse("out of memory");
	if (!bytes) return mz_refuse("cannot read '%s': %s", resume->path, strerror(errno));
	int refused = take_file(resume, bytes, size);
	mz_free(bytes);
	return refused;
}

int mz_resume_open(struct mz_resume *resume, const char *folder, const struct mz_subject *subject)
{
	resume->folder = folder;
	resume->lock = -1;
	resume->started = now();
	resume->next = resume->started + INTERVAL_SECONDS;
	resume->keeper = (struct mz_crew_keeper){.self = resume, .is_due = is_due, .keep = keep};
	snprintf(resume->path, sizeof resume->path, "%s/run", folder);
	int refused = describe(&resume->subject, subject);
	if (!refused) refused = lock_folder(resume);
	if (refused) return refused;
	if (mz_session_open(&resume->kept, &subject->configuration, MZ_MODE_EXPLORE) != 0)
		return mz_refuse("out of memory: %s", strerror(errno));
	return read_folder(resume);
}

void mz_resume_close(struct mz_resume *resume)
{
	if (!resume->folder) return;
	if (resume->kept.shared) mz_session_close(&resume->kept);
	if (resume->lock >= 0) close(resume->lock);
	mz_free(resume->trunk);
	mz_free(resume->environment);
	mz_free(resume->environment_text);
}
