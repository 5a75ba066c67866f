/* SPDX-License-Identifier: MIT */
#include "cluster/cluster.h"
#include "base/alloc.h"
#include "campaign/configure.h"
#include "campaign/ending.h"
#include "campaign/instrumented.h"
#include "campaign/solver.h"
#include "explorer/counts.h"
#include "explorer/merge.h"
#include "explorer/outcome.h"
#include "explorer/states.h"
#include "report/say.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x6d7a636c75737431ULL

/* What a run is of: it is kept in the store. Behind it are the path of the program, its arguments and its environment. */
struct head {
	uint64_t magic;
	struct mz_run_identity identity;
	struct mz_configuration configuration;
	uint64_t path_size, arguments_size, environment_size;
};

/* Says why the store of a run cannot be used, or that this machine was told to leave before it had begun. Returns the exit
 * status. */
static int refuse(const struct mz_cluster *cluster, const struct mz_store_error *error)
{
	if (error->status != MZ_STORE_INTERRUPTED) return mz_refuse("%s", error->text);
	if (cluster->is_worker) {
		puts("this machine has left the run");
		return 0;
	}
	mz_refuse("incomplete: %s before anything was explored: %s",
	          cluster->leaving.told ? "the run was interrupted" : "--timeout was reached", error->text);
	return MZ_EXIT_INCOMPLETE;
}

static int refuse_store(const struct mz_cluster *cluster)
{
	return refuse(cluster, mz_store_error(cluster->store));
}

/* ---- what the run is of ---- */

static uint8_t *compose(const struct mz_cluster *cluster, const struct mz_subject *subject,
                        const struct mz_run_identity *identity, size_t *size)
{
	size_t path_size = strlen(subject->path) + 1;
	*size = sizeof(struct head) + path_size + cluster->arguments.size + cluster->environment.size;
	uint8_t *bytes = mz_alloc(*size), *at = bytes + sizeof(struct head);
	if (!bytes) return NULL;
	memset(bytes, 0, sizeof(struct head));
	struct head *head = (struct head *)bytes;
	head->magic = MAGIC;
	memcpy(&head->identity, identity, sizeof *identity);
	memcpy(&head->configuration, &subject->configuration, sizeof head->configuration);
	head->path_size = path_size;
	head->arguments_size = cluster->arguments.size;
	head->environment_size = cluster->environment.size;
	memcpy(at, subject->path, path_size);
	memcpy(at + path_size, cluster->arguments.text, cluster->arguments.size);
	memcpy(at + path_size + cluster->arguments.size, cluster->environment.text, cluster->environment.size);
	return bytes;
}

static bool fits(const struct head *head, size_t size)
{
	if (head->magic != MAGIC || head->path_size > PATH_MAX || head->arguments_size > size) return false;
	if (head->environment_size > size) return false;
	return sizeof *head + head->path_size + head->arguments_size + head->environment_size == size;
}

/* Reads what a run is of. Returns false if that makes no sense. */
static bool decompose(struct mz_cluster *cluster, struct mz_bytes bytes, struct head *head)
{
	if (bytes.size < sizeof *head) return false;
	memcpy(head, bytes.at, sizeof *head);
	if (!fits(head, bytes.size)) return false;
	const char *path = (const char *)bytes.at + sizeof *head, *arguments = path + head->path_size;
	if (!head->path_size || path[head->path_size - 1]) return false;
	strcpy(cluster->path, path);
	head->identity.mazurka[MZ_IDENTITY_SIZE - 1] = head->identity.program[MZ_IDENTITY_SIZE - 1] = 0;
	return mz_strings_take(&cluster->arguments, arguments, head->arguments_size) &&
	       mz_strings_take(&cluster->environment, arguments + head->arguments_size, head->environment_size) &&
	       cluster->arguments.list[0];
}

/* Returns the size of the memory that members share. A trunk has room to raise the limit later; a page takes no memory before it is
 * used. */
static size_t memory_size(const struct mz_configuration *configuration)
{
	const size_t most = configuration->max_memory ? configuration->max_memory : MZ_REPLICA_MEMORY;
	const size_t room = most > MZ_REPLICA_MEMORY ? most : MZ_REPLICA_MEMORY;
	return mz_configuration_is_stateful(configuration) ? mz_states_size(most)
	                                                   : (mz_trunk_head_size() + room + 4095) & ~4095UL;
}

/* Makes the run. Returns MZ_STORE_EXISTS if another machine was quicker. */
static enum mz_store_status begin(struct mz_cluster *cluster, const struct mz_subject *subject,
                                  const struct mz_run_identity *identity, struct mz_store_error *error)
{
	size_t size = 0, memory = memory_size(&subject->configuration);
	if (!mz_strings_copy(&cluster->arguments, subject->argv) || !mz_strings_copy(&cluster->environment, environ))
		return mz_store_fail(error, MZ_STORE_NO_MEMORY, "out of memory");
	uint8_t *bytes = compose(cluster, subject, identity, &size);
	if (!bytes) return mz_store_fail(error, MZ_STORE_NO_MEMORY, "out of memory");
	enum mz_store_status status =
	    mz_store_begin(cluster->store, (struct mz_bytes){bytes, size}, memory, cluster->lease);
	mz_free(bytes);
	if (status == MZ_STORE_OK) mz_member_init(&cluster->member, cluster->store, memory, &cluster->leaving);
	if (status != MZ_STORE_OK) *error = *mz_store_error(cluster->store);
	return status;
}

static int go_on(struct mz_cluster *cluster, const struct mz_run_found *run, const struct mz_subject *subject,
                 const struct mz_run_identity *identity)
{
	struct head head;
	char what[MZ_DIFFERENCE_SIZE];
	if (!decompose(cluster, run->identity, &head))
		return mz_refuse("the run makes no sense: it was begun by another version of mazurka");
	bool differs = mz_run_identity_differs(identity, &head.identity, what);
	uint64_t samples = head.configuration.max_executions;
	if (!differs && mz_configuration_samples(&head.configuration) &&
	    samples != subject->configuration.max_executions) {
		snprintf(what, sizeof what, "another value of --max-executions");
		differs = true;
	}
	if (differs) return mz_refuse("the run was begun with %s: give it another name", what);
	if (subject->configuration.max_memory && memory_size(&subject->configuration) > run->memory_size)
		return mz_refuse("the run was begun with room for less than that --max-memory: give it another name");
	mz_member_init(&cluster->member, cluster->store, run->memory_size, &cluster->leaving);
	return 0;
}

/* ---- for the campaign ---- */

static int link_campaign(struct mz_cluster *cluster)
{
	cluster->campaign.link = &cluster->member.link;
	cluster->campaign.environment = cluster->environment.list;
	return 0;
}

static int open_run(void *self, const struct mz_subject *subject)
{
	struct mz_cluster *cluster = self;
	struct mz_store_error error;
	struct mz_run_identity identity;
	struct mz_run_found run;
	int refused = mz_run_identity_fill(&identity, subject);
	if (refused) return refused;
	enum mz_store_status status = mz_store_look(cluster->store, &run);
	if (status == MZ_STORE_ABSENT) {
		status = begin(cluster, subject, &identity, &error);
		if (status == MZ_STORE_OK) return link_campaign(cluster);
		if (status != MZ_STORE_EXISTS) return refuse(cluster, &error);
		mz_strings_release(&cluster->arguments);
		mz_strings_release(&cluster->environment);
		status = mz_store_look(cluster->store, &run);
	}
	refused = status == MZ_STORE_OK ? go_on(cluster, &run, subject, &identity) : refuse_store(cluster);
	return refused ? refused : link_campaign(cluster);
}

/* Says that it is not known what all machines have explored or found. */
static void note_trouble(struct mz_cluster *cluster, struct mz_session *session, const char *what,
                         const struct mz_store_error *error)
{
	snprintf(cluster->campaign.trouble, sizeof cluster->campaign.trouble, "%s%s", what, error->text);
	if (session->outcome == MZ_OUTCOME_DONE) mz_outcome_set(session, MZ_OUTCOME_LIMIT, "");
}

/* Replaces what this crew found by what all machines found, which has it too. Fills in the error if that cannot be read: what
 * this crew found stays. */
static bool take_findings(struct mz_cluster *cluster, struct mz_session *session, struct mz_store_error *error)
{
	struct mz_session_memory all;
	if (mz_session_open(&all, &session->configuration, MZ_MODE_EXPLORE) != 0) {
		mz_store_fail(error, MZ_STORE_NO_MEMORY, "out of memory");
		return false;
	}
	bool good = mz_member_collect(cluster->store, all.session, error) == MZ_STORE_OK;
	if (good && session->nfindings && !all.session->nfindings) {
		mz_store_fail(error, MZ_STORE_DAMAGED, "Redis does not have the bug that was found here");
		good = false;
	}
	if (good) {
		mz_merge_forget_found(session);
		mz_merge(session, all.session);
	}
	mz_session_close(&all);
	return good;
}

/* What a run came to that a bug has ended: executions that were under way then are not in what machines share. */
struct summary {
	struct mz_trunk_counts counts;
	uint64_t states, state_bytes;
};

/* The summary that the run has in the store, if it has one. */
struct kept_summary {
	bool known;
	struct summary summary;
};

static void find_summary(void *self, struct mz_bytes field, struct mz_bytes value)
{
	struct kept_summary *kept = self;
	if (field.size != strlen(MZ_STORE_SUMMARY) || memcmp(field.at, MZ_STORE_SUMMARY, field.size) != 0) return;
	kept->known = value.size == sizeof kept->summary;
	if (kept->known) memcpy(&kept->summary, value.at, value.size);
}

static struct kept_summary read_summary(struct mz_cluster *cluster)
{
	struct kept_summary kept = {0};
	if (mz_store_status(cluster->store, find_summary, &kept) != MZ_STORE_OK) kept.known = false;
	return kept;
}

/* Ends the run for all machines: it is done, or a bug was found that ends it. */
static void stop_run(struct mz_cluster *cluster, const struct mz_session *session, bool bug)
{
	const struct summary summary = {mz_counts_of(session), session->graphs, session->graph_bytes};
	const struct mz_bytes bytes = {(const uint8_t *)&summary, bug ? sizeof summary : 0};
	mz_store_stop(cluster->store,
	              bug                                                 ? "a bug was found"
	              : mz_configuration_samples(&session->configuration) ? "all samples were drawn"
	                                                                  : "all of it is explored",
	              bytes);
}

/* Makes the counts those of when a bug has ended the run, so that all machines say the same, also later. */
static void take_summary(struct mz_cluster *cluster, struct mz_session *session, bool stops)
{
	const struct kept_summary kept = read_summary(cluster);
	if (!kept.known) return;
	mz_counts_set(session, kept.summary.counts);
	session->graphs = kept.summary.states;
	session->graph_bytes = kept.summary.state_bytes;
	if (!stops && session->outcome != MZ_OUTCOME_INTERNAL)
		mz_outcome_set(session, MZ_OUTCOME_LIMIT,
		               "its first bug has ended the run: to keep going, begin one of another name");
}

/* Says that the crew was cut off from others: its workers have come to their end, or were killed or not started, for that reason. */
static void note_cut(struct mz_cluster *cluster, struct mz_session *session, struct mz_worker_result *result)
{
	if (session->outcome != MZ_OUTCOME_BUG && session->outcome != MZ_OUTCOME_INTERNAL)
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "");
	if (cluster->member.end == MZ_MEMBER_FAILED)
		note_trouble(cluster, session, "", &cluster->member.error);
	else
		result->end = cluster->leaving.told ? MZ_WORKER_INTERRUPTED : MZ_WORKER_TIMEOUT;
}

static void finish(void *self, struct mz_session *session, struct mz_worker_result *result)
{
	struct mz_cluster *cluster = self;
	const struct mz_member *member = &cluster->member;
	struct mz_store_error error;
	if (member->end == MZ_MEMBER_FAILED || member->end == MZ_MEMBER_LEFT) note_cut(cluster, session, result);
	if (member->end == MZ_MEMBER_FAILED || result->end == MZ_WORKER_NOT_STARTED) return;
	bool known = take_findings(cluster, session, &error);
	if (!known) note_trouble(cluster, session, "what all machines have found cannot be read: ", &error);
	bool stops = session->nfindings && !session->configuration.keep_going;
	if (stops && session->outcome != MZ_OUTCOME_INTERNAL) session->outcome = MZ_OUTCOME_BUG;
	if (known && (session->outcome == MZ_OUTCOME_DONE || stops)) stop_run(cluster, session, stops);
	if (known && mz_store_ended(cluster->store)) take_summary(cluster, session, stops);
}

static int open_store(struct mz_cluster *cluster, const char *url, const struct mz_store_options *options)
{
	struct mz_store_error error;
	cluster->store = mz_store_open(url, options, &error);
	if (!cluster->store) return refuse(cluster, &error);
	if (mz_store_warning(cluster->store)) fprintf(stderr, "mazurka: %s\n", mz_store_warning(cluster->store));
	return 0;
}

static void close_store(struct mz_cluster *cluster)
{
	mz_member_release(&cluster->member);
	mz_store_close(cluster->store);
	mz_strings_release(&cluster->arguments);
	mz_strings_release(&cluster->environment);
}

/* Opens a store whose calls are given up when this machine is told to leave. */
static int open_to_work(struct mz_cluster *cluster, const char *url, double timeout)
{
	const struct mz_store_options options = {.is_interrupted = mz_leaving_is_due, .self = &cluster->leaving};
	mz_leaving_init(&cluster->leaving, timeout);
	mz_workers_begin(&cluster->signals);
	int refused = open_store(cluster, url, &options);
	if (refused || !cluster->store) mz_workers_end(&cluster->signals);
	return refused;
}

int mz_cluster_open(struct mz_cluster *cluster, const char *url, double timeout)
{
	*cluster = (struct mz_cluster){.campaign = {.self = cluster, .open = open_run, .finish = finish},
	                               .lease = MZ_STORE_LEASE};
	return open_to_work(cluster, url, timeout);
}

void mz_cluster_close(struct mz_cluster *cluster)
{
	close_store(cluster);
	mz_workers_end(&cluster->signals);
}

/* ---- workers ---- */

/* Fills in the program of a run that has begun. Returns 0, or an exit status after saying what is wrong; the subject has no path
 * then. */
static int find_subject(struct mz_cluster *cluster, const char *program, struct mz_subject *subject)
{
	struct mz_run_found run;
	struct head head;
	struct mz_run_identity identity;
	char path[PATH_MAX], error[512], what[MZ_DIFFERENCE_SIZE];
	*subject = (struct mz_subject){0};
	if (mz_store_look(cluster->store, &run) != MZ_STORE_OK) return refuse_store(cluster);
	if (!decompose(cluster, run.identity, &head))
		return mz_refuse("the run makes no sense: it was begun by another version of mazurka");
	if (mz_program_find(program ? program : cluster->path, path, error, sizeof error) != 0 ||
	    mz_program_check(path, error, sizeof error) != 0)
		return mz_refuse("%s", error);
	if (!realpath(path, cluster->path) || mz_program_identity(path, cluster->identity) != 0)
		return mz_refuse("cannot read '%s': %s", path, strerror(errno));
	*subject = (struct mz_subject){.path = cluster->path,
	                               .argv = cluster->arguments.list,
	                               .identity = cluster->identity,
	                               .configuration = head.configuration};
	/* limits of whoever began the run */
	if (!mz_configuration_samples(&head.configuration)) subject->configuration.max_executions = 0;
	subject->configuration.timeout = 0;
	int refused = mz_run_identity_fill(&identity, subject);
	if (refused) return refused;
	if (mz_run_identity_differs(&identity, &head.identity, what))
		return mz_refuse("the run was begun with %s: '%s' cannot take part in it", what, cluster->path);
	mz_member_init(&cluster->member, cluster->store, run.memory_size, &cluster->leaving);
	return 0;
}

/* Says why the workers of this machine have failed, if they have. Returns the exit status, or 0. */
static int tell_failure(struct mz_cluster *cluster, const struct mz_session *session,
                        const struct mz_worker_result *result)
{
	char text[MZ_ENDING_SIZE] = "";
	/* Ctrl-C on a terminal reaches the workers as well */
	bool left = cluster->member.end == MZ_MEMBER_LEFT || mz_leaving_is_told(&cluster->leaving);
	bool stopped = left || mz_store_ended(cluster->store) || mz_ending_is_from_outside(result);
	if (session->outcome == MZ_OUTCOME_UNSUPPORTED)
		return mz_refuse("'%s' cannot take part in the run: %s", cluster->path, session->message);
	if (stopped || session->outcome == MZ_OUTCOME_DONE) return 0;
	if (session->outcome == MZ_OUTCOME_NONE)
		mz_ending_describe_death(session, result, session->nsteps, text);
	else
		mz_ending_describe_outcome(session, result, text);
	mz_refuse("this machine cannot go on: %s", text);
	return MZ_EXIT_INCOMPLETE;
}

static int tell_internal_error(const struct mz_session *session)
{
	char text[MZ_ENDING_SIZE];
	mz_ending_describe_error(session, session->nsteps, text);
	return mz_refuse_internal_error(text, NULL);
}

/* Says how the work on a run ended. Returns the exit status. */
static int tell_end(struct mz_cluster *cluster, const struct mz_session *session, const struct mz_worker_result *result)
{
	const char *ended = mz_store_ended(cluster->store);
	bool left = cluster->member.end == MZ_MEMBER_LEFT, started = result->end != MZ_WORKER_NOT_STARTED;
	if (session->outcome == MZ_OUTCOME_INTERNAL) return tell_internal_error(session);
	if (*cluster->campaign.trouble && !left) {
		mz_refuse("%s", cluster->campaign.trouble);
		return started ? MZ_EXIT_INCOMPLETE : MZ_EXIT_USAGE;
	}
	if (!started) return mz_refuse("cannot start '%s': %s", cluster->path, strerror(result->status));
	int failed = tell_failure(cluster, session, result);
	if (failed) return failed;
	bool states = mz_configuration_is_stateful(&session->configuration);
	uint64_t explored = states ? session->graphs : session->executions;
	printf("%s", ended ? ended : "this machine has left the run");
	if (ended || explored)
		printf("; %lu %s so far, on all machines", (unsigned long)explored, states ? "states" : "executions");
	puts("");
	return 0;
}

static void equip(void *self, uint32_t worker, struct mz_session *session)
{
	mz_solvers_equip(self, worker, session);
}

/* Explores with a crew until it ends. Returns the exit status. */
static int explore(struct mz_cluster *cluster, const struct mz_subject *subject, struct mz_session_memory *memory,
                   struct mz_solvers *solvers)
{
	struct mz_worker_job job = mz_subject_job(subject, memory);
	job.environment = cluster->environment.list;
	job.equip = equip;
	job.equipper = solvers;
	uint32_t jobs = (uint32_t)subject->configuration.jobs;
	struct mz_worker_result result = mz_crew_run(&job, jobs, NULL, &cluster->member.link);
	finish(cluster, memory->session, &result);
	return tell_end(cluster, memory->session, &result);
}

static int work(struct mz_cluster *cluster, const char *program, uint32_t jobs)
{
	struct mz_subject subject;
	struct mz_session_memory memory;
	struct mz_solvers solvers = {0};
	int status = find_subject(cluster, program, &subject);
	if (status || !subject.path) return status;
	subject.configuration.jobs = jobs;
	mz_configuration_complete(&subject.configuration);
	if (mz_session_open(&memory, &subject.configuration, MZ_MODE_EXPLORE) != 0)
		return mz_refuse("out of memory: %s", strerror(errno));
	if (mz_program_is_symbolic(subject.path)) status = mz_solvers_start(&solvers, &subject.configuration);
	if (!status) status = explore(cluster, &subject, &memory, &solvers);
	mz_solvers_stop(&solvers);
	mz_session_close(&memory);
	return status;
}

int mz_cluster_work(const char *url, const char *program, uint32_t jobs)
{
	struct mz_cluster cluster = {.is_worker = true};
	int status = open_to_work(&cluster, url, 0);
	if (!cluster.store) return status;
	status = work(&cluster, program, jobs);
	mz_cluster_close(&cluster);
	return status;
}

/* ---- watching ---- */

struct watcher {
	bool stateful;
	struct mz_trunk_memory trunk;
	struct mz_states_memory states;
	struct mz_replica replica; /* of one of these */
};

static bool open_watcher(struct watcher *watcher, const struct mz_configuration *configuration, size_t size)
{
	*watcher = (struct watcher){.stateful = mz_configuration_is_stateful(configuration)};
	int failed = watcher->stateful ? mz_states_open(&watcher->states, 0, size, false)
	                               : mz_trunk_memory_open(&watcher->trunk, 0, size);
	if (failed) return false;
	watcher->trunk.raises = configuration->iterate;
	watcher->replica = watcher->stateful ? mz_states_replica(&watcher->states) : mz_trunk_replica(&watcher->trunk);
	return true;
}

static void close_watcher(struct watcher *watcher)
{
	if (watcher->stateful)
		mz_states_close(&watcher->states);
	else
		mz_trunk_memory_close(&watcher->trunk);
}

static void take(void *self, const struct mz_change *change)
{
	const struct watcher *watcher = self;
	memcpy(watcher->replica.base + change->offset, change->bytes, change->size);
}

static int show_end(struct mz_cluster *cluster, const struct head *head, const struct mz_replica_total *total)
{
	struct mz_session_memory all;
	struct mz_store_error error;
	if (mz_session_open(&all, &head->configuration, MZ_MODE_EXPLORE) != 0) return mz_refuse("out of memory");
	if (mz_member_collect(cluster->store, all.session, &error) != MZ_STORE_OK) {
		mz_session_close(&all);
		return mz_refuse("what was found cannot be read: %s", error.text);
	}
	uint32_t bugs = all.session->nfindings;
	const struct kept_summary kept = read_summary(cluster);
	uint64_t number = total->number;
	if (kept.known)
		number = mz_configuration_is_stateful(&head->configuration) ? kept.summary.states
		                                                            : kept.summary.counts.executions;
	for (uint32_t i = 0; i < bugs; i++) {
		const struct mz_session_finding *finding = &all.session->findings[i];
		printf("bug: %s: %s\n", mz_finding_name((enum mz_finding_kind)finding->kind), finding->message);
	}
	mz_session_close(&all);
	printf("%s: %lu %s, %u bug%s\n", mz_store_ended(cluster->store), (unsigned long)number, total->what, bugs,
	       bugs == 1 ? "" : "s");
	bool complete = total->whole && !mz_configuration_samples(&head->configuration);
	return bugs ? MZ_EXIT_BUG : complete ? MZ_EXIT_PASS : MZ_EXIT_INCOMPLETE;
}

static int watch(struct mz_cluster *cluster, const struct watcher *watcher, const struct head *head)
{
	struct mz_replica_total total;
	uint64_t shown = UINT64_MAX;
	for (;;) {
		enum mz_store_status status = mz_store_pull(cluster->store);
		if (status != MZ_STORE_OK && status != MZ_STORE_ENDED) return refuse_store(cluster);
		total = watcher->replica.total(watcher->replica.self);
		if (mz_store_ended(cluster->store)) break;
		if (total.number != shown) printf("%lu %s\n", (unsigned long)total.number, total.what);
		fflush(stdout);
		shown = total.number;
		sleep(1);
	}
	return show_end(cluster, head, &total);
}

static int attach(struct mz_cluster *cluster)
{
	struct mz_run_found run;
	struct head head;
	struct watcher watcher;
	if (mz_store_look(cluster->store, &run) != MZ_STORE_OK) return refuse_store(cluster);
	if (!decompose(cluster, run.identity, &head))
		return mz_refuse("the run makes no sense: it was begun by another version of mazurka");
	if (!open_watcher(&watcher, &head.configuration, run.memory_size))
		return mz_refuse("out of memory: %s", strerror(errno));
	const struct mz_taker taker = {take, &watcher};
	int status = mz_store_watch(cluster->store, &taker) == MZ_STORE_OK ? watch(cluster, &watcher, &head)
	                                                                   : refuse_store(cluster);
	close_watcher(&watcher);
	return status;
}

int mz_cluster_attach(const char *url)
{
	struct mz_cluster cluster = {0};
	const struct mz_store_options options = {0};
	int status = open_store(&cluster, url, &options);
	if (status) return status;
	status = attach(&cluster);
	close_store(&cluster);
	return status;
}
