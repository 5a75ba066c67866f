/* SPDX-License-Identifier: MIT */
#include "campaign/resume.h"
#include "base/alloc.h"
#include "campaign/output.h"
#include "explorer/kept.h"
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

/* The start of the file. Behind it are the environment, what was found, and the trunk. */
struct head {
	uint64_t magic;
	struct mz_run_identity identity;
	double seconds;
	uint64_t environment_size, found_size, trunk_size;
	struct mz_key check; /* hash of everything else */
};

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int check_subject(const struct mz_resume *resume, const struct mz_run_identity *kept)
{
	char what[MZ_DIFFERENCE_SIZE];
	if (!mz_run_identity_differs(&resume->identity, kept, what)) return 0;
	return mz_refuse("'%s' holds a run with %s: give another folder, or remove it to begin anew", resume->folder,
	                 what);
}

/* ---- writing ---- */

static char *put(char *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* Returns everything that the file is to have, or NULL when there is no memory. */
static char *compose(const struct mz_resume *resume, const struct mz_session *session, const void *trunk, size_t size,
                     size_t *total)
{
	size_t found_size = 0;
	void *found = mz_kept_write(session, &found_size);
	*total = sizeof(struct head) + resume->environment.size + found_size + size;
	char *bytes = found ? mz_alloc(*total) : NULL;
	if (bytes) {
		memset(bytes, 0, sizeof(struct head));
		struct head *head = (struct head *)bytes;
		head->magic = MAGIC;
		memcpy(&head->identity, &resume->identity, sizeof head->identity);
		head->seconds = resume->seconds + now() - resume->started;
		head->environment_size = resume->environment.size;
		head->found_size = found_size;
		head->trunk_size = size;
		char *at = put(bytes + sizeof *head, resume->environment.text, resume->environment.size);
		put(put(at, found, found_size), trunk, size);
		head->check = mz_hash_bytes(bytes, *total, (struct mz_key){0});
	}
	mz_free(found);
	return bytes;
}

static int write_file(const struct mz_resume *resume, const char *bytes, size_t size)
{
	struct mz_output output;
	if (mz_output_open_private(&output, resume->path) != 0) return -1; /* the environment is in it */
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

/* Takes over what an earlier run left behind the head of the file. Returns false if that makes no sense. */
static bool take_parts(struct mz_resume *resume, const struct head *head, struct reader *reader)
{
	const char *environment = take(reader, head->environment_size);
	const void *found = take(reader, head->found_size);
	const void *trunk = take(reader, head->trunk_size);
	if (!environment || !found || !trunk || reader->left) return false;
	if (!mz_strings_take(&resume->environment, environment, head->environment_size)) return false;
	if (!mz_kept_read(resume->kept.session, found, head->found_size)) return false;
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
	int refused = good ? check_subject(resume, &head.identity) : 0;
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

static int read_folder(struct mz_resume *resume)
{
	size_t size = 0;
	char *bytes = read_file(resume->path, &size);
	if (!bytes && errno == ENOENT)
		return mz_strings_copy(&resume->environment, environ) ? 0 : mz_refuse("out of memory");
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
	int refused = mz_run_identity_fill(&resume->identity, subject);
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
	mz_strings_release(&resume->environment);
}
