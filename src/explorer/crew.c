/* SPDX-License-Identifier: MIT */
#include "explorer/crew.h"
#include "base/alloc.h"
#include "engine/registry.h"
#include "explorer/counts.h"
#include "explorer/kept.h"
#include "explorer/merge.h"
#include "explorer/outcome.h"
#include "explorer/shared_trunk.h"
#include "explorer/states.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define LOSSES_MAX 1       /* how many workers may die looking at a state before that state is given up */
#define FRUITLESS_MAX 3    /* how many workers may die in a row without having looked at a state */
#define LEAST_SECONDS 1e-3 /* the time of a worker that starts when none is left */
#define KILLS_MAX 30       /* how many may be killed in a row, and none explores anything that counts */

struct crew_member {
	struct mz_worker_job job;
	/* this worker's session; not used by the first worker, whose session is that of the whole crew */
	struct mz_session_memory own;
	struct mz_session_memory *memory;
	uint32_t fruitless;
	uint64_t settled; /* executions that counted when the worker was last replaced */
	long peak_rss_kb; /* the largest of this worker and of those it replaced */
};

struct crew {
	uint32_t n;
	struct crew_member members[MZ_STATES_WORKERS];
	struct mz_worker workers[MZ_STATES_WORKERS];
	bool stateful;
	bool raises;                    /* the workers raise the bound together */
	struct mz_states_memory states; /* of a stateful search */
	struct mz_trunk_memory trunk;   /* of others */
	uint32_t lost;                  /* the state at which workers die, or MZ_NO_STATE */
	uint32_t failed; /* number of the worker that died at `lost` and was not replaced; `n` if there is none */
	bool damaged;    /* the memory of known states was overwritten and makes no sense any more */
	const struct mz_crew_keeper *keeper; /* NULL: what is explored is not kept */
	bool over;                           /* an earlier crew has found the bug that ends the run */
	uint32_t kills;                      /* how many workers were killed in a row */
	uint64_t settled;                    /* executions of all workers that counted when the last one was killed */
	double until;                        /* the second in which workers are told to stop; 0: never */
	const struct mz_crew_link *link;     /* NULL: no other machine takes part */
	bool connected;                      /* the link was told to connect */
	uint32_t seats[MZ_STATES_WORKERS];   /* of the members, in the trunk or among those who know states */
	uint32_t generation;                 /* of the states, when this crew began */
	struct mz_trunk_link *between;       /* in the memory of the trunk or of the states */
	uint64_t news;                       /* how much was found when that was published last */
};

/* ---- sessions ---- */

/* Copies the task, which is the first part of a session: everything that the supervisor writes before workers start. */
static void copy_task(struct mz_session *to, const struct mz_session *from)
{
	size_t first = offsetof(struct mz_session, configuration);
	memcpy((char *)to + first, (const char *)from + first, offsetof(struct mz_session, stop) - first);
}

static int join(struct crew *crew, const struct mz_worker_job *job)
{
	struct crew_member *member = &crew->members[crew->n];
	const struct mz_session *task = job->memory->session;
	member->job = *job;
	member->memory = job->memory;
	if (crew->n > 0) {
		if (mz_session_open(&member->own, &task->configuration, MZ_MODE_EXPLORE) != 0) return -1;
		copy_task(member->own.session, task);
		member->memory = &member->own;
	}
	if (crew->stateful)
		member->memory->session->states = crew->states.fd;
	else
		member->memory->session->trunk = crew->trunk.fd;
	member->memory->session->seat = crew->seats[crew->n];
	member->memory->session->worker = crew->n++;
	member->job.memory = member->memory;
	if (job->equip) job->equip(job->equipper, crew->n - 1, member->memory->session);
	return 0;
}

/* ---- what is kept ---- */

/* Returns what the session of a worker, which may still run, says; NULL if that makes no sense. */
static struct mz_session *snapshot(const struct mz_session_memory *memory)
{
	struct mz_session_memory copy = *memory;
	copy.session = copy.shared;
	mz_session_settle(&copy);
	if (!copy.damaged) return copy.session;
	if (copy.session != copy.shared) munmap(copy.session, copy.size);
	return NULL;
}

/* Returns what the sessions of all workers say together; NULL if that makes no sense. */
static struct mz_session *snapshot_all(const struct crew *crew)
{
	struct mz_session *sum = snapshot(crew->members[0].memory);
	for (uint32_t i = 1; i < crew->n && sum; i++) {
		struct mz_session *one = snapshot(crew->members[i].memory);
		if (one) {
			mz_merge(sum, one);
			munmap(one, crew->members[i].memory->size);
		} else {
			munmap(sum, crew->members[0].memory->size);
			sum = NULL;
		}
	}
	return sum;
}

/* Returns what counts of what the worker at a seat has explored. */
static struct mz_trunk_counts settled_at(struct crew *crew, uint32_t seat)
{
	if (!crew->stateful) return mz_trunk_settled(&crew->trunk, seat);
	struct mz_cartesian_counts counts = mz_states_settled(&crew->states, seat);
	return mz_counts_of_states(&counts);
}

/* Adds what workers have explored that were no members of this crew: those of earlier ones, and of other machines. Of a search
 * of states, only what is done counts, whoever did it. */
static void add_others(struct crew *crew, struct mz_session *session)
{
	struct mz_trunk_counts counts = mz_counts_of(session);
	if (crew->stateful) {
		struct mz_cartesian_counts total = mz_states_total(crew->states.states);
		if (mz_states_any(&crew->states)) mz_counts_set(session, mz_counts_of_states(&total));
		return;
	}
	for (uint32_t i = 0; i < MZ_TRUNK_WORKERS; i++) {
		uint32_t n = 0;
		while (n < crew->n && crew->seats[n] != i) n++;
		if (n == crew->n) counts = mz_counts_sum(counts, mz_trunk_settled(&crew->trunk, i));
	}
	mz_counts_set(session, counts);
}

/* Keeps what the crew has explored so far. What is shared is copied first: what counts there was found already. */
static void keep(struct crew *crew)
{
	size_t size;
	void *trunk = crew->stateful ? mz_states_copy(&crew->states, &size) : mz_trunk_memory_copy(&crew->trunk, &size);
	struct mz_session *sum = trunk ? snapshot_all(crew) : NULL;
	if (sum) {
		add_others(crew, sum);
		crew->keeper->keep(crew->keeper->self, sum, trunk, size);
		munmap(sum, crew->members[0].memory->size);
	}
	mz_free(trunk);
}

/* Returns the same of what a worker could not find out about inputs; and how many questions there were, which is told when
 * the worker is gone. */
static uint64_t count_inputs_news(const struct mz_session_inputs *inputs, bool gone)
{
	uint64_t news = inputs->unexplored + inputs->nlosses + inputs->nlimits + inputs->unwritten;
	news += (inputs->undecided > 0) + (inputs->disagreed > 0) + (inputs->missed > 0) + (inputs->limited > 0);
	return news + (gone ? inputs->solver.queries : 0);
}

/* Returns how much the workers have found; it becomes more with everything new. */
static uint64_t count_news(const struct crew *crew)
{
	uint64_t news = 0;
	for (uint32_t i = 0; i < crew->n; i++) {
		const struct mz_session *session = crew->members[i].memory->shared;
		news += count_inputs_news(&session->inputs, crew->workers[i].pid == 0);
		news += session->nfindings + session->findings_dropped + session->nhidden + session->hidden_dropped;
		news += session->unseen.filled + session->frames;
		for (size_t n = 0; n < MZ_SESSION_CALLS; n++) news += session->uncontrolled[n].calls > 0;
		for (size_t n = 0; n < MZ_PATH_LIMIT_COUNT; n++) news += session->given_up[n] > 0;
		for (size_t n = 0; n < MZ_LIMIT_COUNT; n++) news += session->reached[n].count > 0;
	}
	return news;
}

static void *publish(void *publisher, size_t *size)
{
	struct crew *crew = publisher;
	uint64_t news = count_news(crew);
	struct mz_session *sum = news != crew->news ? snapshot_all(crew) : NULL;
	if (!sum) return NULL;
	void *bytes = mz_kept_write(sum, size);
	munmap(sum, crew->members[0].memory->size);
	if (bytes) crew->news = news;
	return bytes;
}

#ifdef MZ_CHECKS
#define ALWAYS_EXACT true
#else
#define ALWAYS_EXACT false
#endif

/* Numbers threads as workers did that had to begin anew: schedules of what they found have these numbers. */
static void number_threads(struct crew *crew, const struct mz_session *session)
{
	for (uint32_t t = 1; t < session->nthreads; t++) {
		if (crew->stateful)
			mz_states_number(crew->states.states, session->threads[t]);
		else
			mz_trunk_number(crew->trunk.shared, session->threads[t]);
	}
}

/* Opens what workers share, as an earlier crew left it if there was one. */
static int open_shared(struct crew *crew, struct mz_session *session)
{
	const struct mz_configuration *configuration = &session->configuration;
	const struct mz_crew_keeper *keeper = crew->keeper;
	bool kept = keeper && keeper->session;
	size_t most = configuration->max_memory ? configuration->max_memory : MZ_REPLICA_MEMORY;
	size_t size = crew->link ? crew->link->size : 0;
	if (kept) most += keeper->trunk_size;
	int failed = crew->stateful
	                 ? mz_states_open(&crew->states, most, size, configuration->exact_states || ALWAYS_EXACT)
	                 : mz_trunk_memory_open(&crew->trunk, most, size);
	if (failed) return -1;
	crew->between = crew->stateful ? crew->states.link : crew->trunk.link;
	if (!kept) return 0;
	mz_merge(session, keeper->session);
	errno = EINVAL;
	bool good = crew->stateful ? mz_states_restore(&crew->states, keeper->trunk, keeper->trunk_size)
	                           : mz_trunk_memory_restore(&crew->trunk, keeper->trunk, keeper->trunk_size);
	return good ? 0 : -1;
}

/* Makes what workers share a copy of what other machines have. */
static bool connect_shared(struct crew *crew, uint32_t n)
{
	struct mz_replica replica = crew->stateful ? mz_states_replica(&crew->states) : mz_trunk_replica(&crew->trunk);
	errno = ECONNREFUSED;
	crew->connected = true;
	return crew->link->connect(crew->link->self, &replica, n, crew->seats, publish, crew);
}

static int assemble(struct crew *crew, const struct mz_worker_job *job, uint32_t n)
{
	struct mz_session *task = job->memory->session;
	crew->stateful = mz_strategy_stateful(mz_strategy_find(task->configuration.strategy));
	crew->raises = task->configuration.iterate;
	if (open_shared(crew, task) != 0) return -1;
	crew->trunk.raises = crew->raises;
	for (uint32_t i = 0; i < n; i++) crew->seats[i] = i;
	if (!crew->link) number_threads(crew, task);
	if (crew->link && !connect_shared(crew, n)) return -1;
	if (crew->stateful && !mz_states_begin(&crew->states, &task->learned)) return -1;
	crew->generation = crew->stateful ? mz_states_generation(&crew->states) : 0;
	while (crew->n < n)
		if (join(crew, job) != 0) return -1;
	crew->failed = n;
	crew->lost = MZ_NO_STATE;
	return 0;
}

static void dismiss(struct crew *crew)
{
	for (uint32_t i = 1; i < crew->n; i++) mz_session_close(&crew->members[i].own);
	if (crew->states.states) mz_states_close(&crew->states);
	if (crew->trunk.shared) mz_trunk_memory_close(&crew->trunk);
	mz_free(crew);
}

/* ---- running ---- */

static double seconds(void)
{
	return (double)mz_now() / 1e9;
}

/* Starts worker `i`, or another one in its place; it has the time that is left of the crew's. */
static void start(struct crew *crew, uint32_t i)
{
	struct mz_worker_job *job = &crew->members[i].job;
	double left = crew->until - seconds();
	if (crew->until > 0) job->timeout = left > LEAST_SECONDS ? left : LEAST_SECONDS;
	mz_worker_start(&crew->workers[i], job);
}

static void tell_all(struct crew *crew, enum mz_worker_end why)
{
	for (uint32_t i = 0; i < crew->n; i++) mz_worker_tell_to_stop(&crew->workers[i], why);
}

/* Returns whether somebody has killed the worker: the system when memory gets short, for example. */
static bool is_killed(const struct mz_worker *worker)
{
	return worker->result.end == MZ_WORKER_SIGNALLED && worker->result.status == SIGKILL;
}

/* Returns how much of what worker `i` did counts; it becomes more with every execution and every state. */
static uint64_t settled_of(struct crew *crew, uint32_t i)
{
	struct mz_trunk_counts counts = settled_at(crew, crew->seats[i]);
	return counts.steps + counts.executions + counts.redundant + counts.assumed;
}

/* Counts workers that are killed in a row. Returns whether there are so many that something in the program must be the
 * reason: until then, it is somebody outside. */
static bool is_killed_in_vain(struct crew *crew)
{
	uint64_t settled = 0;
	for (uint32_t i = 0; i < crew->n; i++) settled += settled_of(crew, i);
	crew->kills = settled != crew->settled ? 1 : crew->kills + 1;
	crew->settled = settled;
	return crew->kills >= KILLS_MAX;
}

/* Returns whether a new worker should take the place of worker `i`, which died in a crew that explores executions, or beside
 * those of other machines: unless it stalled, or could not even begin, or those before it died as well and nothing that counts was explored in
 * between. */
static bool is_to_be_replaced_beside(struct crew *crew, uint32_t i)
{
	struct crew_member *member = &crew->members[i];
	const struct mz_worker *worker = &crew->workers[i];
	if (crew->stateful)
		mz_states_lose_seat(&crew->states, i, crew->seats[i]);
	else
		mz_trunk_lose_worker(&crew->trunk, crew->seats[i]);
	atomic_store(&crew->between->reading[i], 0);
	if (worker->told > 0) return false;
	uint64_t settled = settled_of(crew, i);
	bool killed = is_killed(worker);
	member->fruitless = killed || settled != member->settled ? 0 : member->fruitless + 1;
	member->settled = settled;
	bool hopeless = killed ? is_killed_in_vain(crew)
	                       : !member->memory->session->running || member->fruitless == FRUITLESS_MAX ||
	                             worker->result.end == MZ_WORKER_STALLED;
	if (hopeless) crew->failed = i;
	return !hopeless;
}

/* Returns whether a new worker should take the place of worker `i`, which died without leaving an outcome. */
static bool is_to_be_replaced(struct crew *crew, uint32_t i)
{
	struct crew_member *member = &crew->members[i];
	const struct mz_worker *worker = &crew->workers[i];
	bool stalled = worker->result.end == MZ_WORKER_STALLED;
	uint32_t state = MZ_NO_STATE;
	struct mz_states_counts counts;
	if (!crew->stateful || crew->link) return is_to_be_replaced_beside(crew, i);
	uint8_t most = is_killed(worker) ? KILLS_MAX : stalled ? 0 : LOSSES_MAX;
	crew->damaged |=
	    !mz_states_lose_worker(&crew->states, i, most, &state) || !mz_states_count_checked(&crew->states, &counts);
	if (worker->told > 0 || crew->damaged) return false;
	member->fruitless = state == MZ_NO_STATE ? member->fruitless + 1 : 0;
	bool begun = member->memory->session->running || is_killed(worker);
	uint32_t in_vain = is_killed(worker) ? KILLS_MAX : FRUITLESS_MAX;
	bool hopeless = !begun || member->fruitless >= in_vain || stalled || counts.aside > 0;
	if (!hopeless) return true;
	crew->lost = state;
	crew->failed = i;
	return false;
}

/* Returns whether worker `i`, which explores executions, has ended only so that a new process can take its place. */
static bool is_to_begin_anew(struct crew *crew, uint32_t i)
{
	struct mz_session *session = crew->members[i].memory->session;
	if (crew->stateful || session->outcome != MZ_OUTCOME_AGAIN) return false;
	bool told = crew->workers[i].told > 0;
	if (told)
		mz_outcome_set(session, MZ_OUTCOME_LIMIT, "the run was told to stop");
	else
		session->outcome = MZ_OUTCOME_NONE;
	return !told;
}

static void farewell(struct crew *crew, uint32_t i)
{
	struct crew_member *member = &crew->members[i];
	long peak = crew->workers[i].result.peak_rss_kb;
	if (peak > member->peak_rss_kb) member->peak_rss_kb = peak;
	enum mz_outcome outcome = (enum mz_outcome)member->memory->session->outcome;
	if (outcome == MZ_OUTCOME_DONE || outcome == MZ_OUTCOME_FOREIGN) return;
	if (outcome == MZ_OUTCOME_NONE ? is_to_be_replaced(crew, i) : is_to_begin_anew(crew, i))
		start(crew, i);
	else
		tell_all(crew, MZ_WORKER_EXITED);
}

static void kill_all(struct crew *crew)
{
	for (uint32_t i = 0; i < crew->n; i++) mz_worker_kill(&crew->workers[i]);
}

/* Attends to all workers. Returns whether any of them still runs. */
static bool look_after_all(struct crew *crew)
{
	bool any = false;
	for (uint32_t i = 0; i < crew->n; i++) {
		if (!crew->workers[i].pid) continue;
		if (mz_worker_look_after(&crew->workers[i])) farewell(crew, i);
		any |= crew->workers[i].pid != 0;
	}
	return any;
}

/* ---- what came of it ---- */

#define SEVERITY_BUG 6

/* Returns how much the outcome of worker `i` says about the run: that of the worker with the highest number decides. A
 * worker that stopped only because it was told to says little, and one that took no part says nothing. */
static int severity(const struct crew *crew, uint32_t i)
{
	bool told = crew->workers[i].told > 0 && crew->workers[i].why == MZ_WORKER_EXITED;
	if (i == crew->failed) return 7;
	switch ((enum mz_outcome)crew->members[i].memory->session->outcome) {
	case MZ_OUTCOME_INTERNAL: return 10;
	case MZ_OUTCOME_AGAIN: return 9;
	case MZ_OUTCOME_UNSUPPORTED: return 8;
	case MZ_OUTCOME_BUG: return SEVERITY_BUG;
	case MZ_OUTCOME_NONE: return told ? 1 : 5;
	case MZ_OUTCOME_LIMIT: return told ? 3 : 4;
	case MZ_OUTCOME_DONE: return 2;
	case MZ_OUTCOME_FOREIGN: return 0;
	}
	return 0;
}

static uint32_t decisive(const struct crew *crew)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < crew->n; i++)
		if (severity(crew, i) > severity(crew, best)) best = i;
	return best;
}

/* Makes the path to the lost state the schedule of the session, so that it can be reported. */
static void show_lost(struct crew *crew, struct mz_session *session)
{
	uint32_t depth = mz_states_path(&crew->states, crew->lost, session->schedule, session->configuration.max_steps);
	if (depth <= session->configuration.max_steps) session->nsteps = depth;
}

/* Copies the outcome of the decisive worker, `last`: it is the outcome of the whole crew. */
static void follow(struct mz_session *session, const struct mz_session *last)
{
	session->outcome = last->outcome;
	session->learned = last->learned;
	if (last == session) return;
	memcpy(session->method, last->method, sizeof session->method);
	memcpy(session->message, last->message, sizeof session->message);
	session->nsteps = last->nsteps;
	memcpy(session->schedule, last->schedule, last->nsteps * sizeof *session->schedule);
}

/* Counts of a worker that died only what others do not explore again. */
static void count_settled(struct crew *crew, uint32_t i)
{
	struct mz_session *session = crew->members[i].memory->session;
	if (crew->stateful || session->outcome != MZ_OUTCOME_NONE) return;
	mz_counts_set(session, mz_trunk_settled(&crew->trunk, crew->seats[i]));
}

static void add_states(struct crew *crew, struct mz_session_memory *memory)
{
	struct mz_states_counts counts;
	struct mz_session *session = memory->session;
	if (!crew->stateful) {
		session->nthreads = mz_trunk_threads(&crew->trunk, session->threads);
		session->traces += mz_trunk_graphs(&crew->trunk);
		session->operations = mz_trunk_operations(&crew->trunk);
		return;
	}
	crew->damaged |= !mz_states_count_checked(&crew->states, &counts);
	memory->damaged |= crew->damaged;
	if (crew->damaged) return;
	session->graphs = counts.states;
	session->graph_bytes = counts.bytes;
	session->operations = counts.operations;
	session->nthreads = mz_states_threads(&crew->states, session->threads);
	if (session->outcome != MZ_OUTCOME_INTERNAL && crew->lost != MZ_NO_STATE) show_lost(crew, session);
}

/* Returns how many findings were made within a bound, or a smaller one. */
static uint32_t count_findings(const struct mz_session *session, uint32_t bound)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < session->nfindings; i++) n += session->findings[i].bound <= bound;
	return n;
}

/* Fills in the bounds that are done. `found` has what all workers have found. */
static void fill_iterations(struct mz_session *session, const struct mz_session_iteration *iterations, uint32_t n,
                            const struct mz_session *found)
{
	for (uint32_t bound = 0; bound < n; bound++) {
		session->iterations[bound] = iterations[bound];
		session->iterations[bound].nfindings = count_findings(found, bound);
	}
	atomic_store_explicit(&session->niterations, n, memory_order_release);
}

/* Says in the session of the crew which bounds are done, while the workers are at work. */
static void tell_iterations(struct crew *crew)
{
	struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS];
	struct mz_session *session = crew->members[0].memory->session;
	if (!crew->raises) return;
	uint32_t n = mz_trunk_phase(&crew->trunk, iterations).iterations;
	if (n == atomic_load_explicit(&session->niterations, memory_order_relaxed)) return;
	struct mz_session *sum = snapshot_all(crew);
	if (!sum) return;
	fill_iterations(session, iterations, n, sum);
	munmap(sum, crew->members[0].memory->size);
}

/* Takes over in which phase workers were that raise the bound. What they counted while they looked without bounds counts
 * only if that was everything. */
static void take_phase(struct crew *crew, struct mz_session *session)
{
	struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS];
	if (!crew->raises) return;
	const struct mz_trunk_phase phase = mz_trunk_phase(&crew->trunk, iterations);
	fill_iterations(session, iterations, phase.iterations, session);
	session->bound = phase.bound;
	session->executed = phase.executed;
	session->exhausted = phase.over && phase.exhausted;
	if (!crew->over && (phase.over || phase.looks)) mz_counts_set(session, phase.counts);
}

/* Returns whether workers were told to stop because of something outside of the crew. */
static bool is_told_to_stop(const struct crew *crew)
{
	bool told = false;
	for (uint32_t i = 0; i < crew->n; i++)
		told |= crew->workers[i].told > 0 && crew->workers[i].why != MZ_WORKER_EXITED;
	return told;
}

static bool is_whole(struct crew *crew)
{
	struct mz_replica states = crew->stateful ? mz_states_replica(&crew->states) : (struct mz_replica){0};
	return crew->stateful ? states.total(states.self).whole : mz_trunk_is_whole(&crew->trunk);
}

static struct mz_worker_result conclude(struct crew *crew, struct mz_session_memory *memory)
{
	for (uint32_t i = 0; i < crew->n; i++) {
		mz_session_settle(crew->members[i].memory);
		count_settled(crew, i);
	}
	uint32_t who = decisive(crew);
	struct mz_session *session = memory->session;
	struct mz_worker_result result = crew->workers[who].result;
	result.worker = who;
	follow(session, crew->members[who].memory->session);
	for (uint32_t i = 1; i < crew->n; i++) {
		memory->damaged |= crew->members[i].memory->damaged;
		mz_merge(session, crew->members[i].memory->session);
	}
	add_others(crew, session);
	/* an earlier crew has ended the run with a bug: the counts are those of before */
	if (crew->over) mz_counts_set(session, mz_counts_of(crew->keeper->session));
	bool took_part = session->outcome != MZ_OUTCOME_FOREIGN;
	if (!took_part) session->outcome = MZ_OUTCOME_UNSUPPORTED; /* nor did any other worker */
	if (crew->link && took_part && is_whole(crew) && severity(crew, who) < SEVERITY_BUG)
		session->outcome = MZ_OUTCOME_DONE;
	result.peak_rss_kb = 0;
	for (uint32_t i = 0; i < crew->n; i++) result.peak_rss_kb += crew->members[i].peak_rss_kb;
	add_states(crew, memory);
	take_phase(crew, session);
	if (session->outcome == MZ_OUTCOME_AGAIN && is_told_to_stop(crew)) session->outcome = MZ_OUTCOME_LIMIT;
	return result;
}

/* Looks after the workers until all are gone. Who is asked twice to stop kills them. */
static void oversee(struct crew *crew, const struct mz_worker_job *job)
{
	bool asked = false, keeps = crew->keeper && !crew->over;
	while (look_after_all(crew)) {
		if (mz_workers_wait(crew->workers, crew->n)) {
			if (asked) kill_all(crew);
			asked = true;
			if (crew->link) crew->link->stop(crew->link->self);
			tell_all(crew, MZ_WORKER_INTERRUPTED);
		}
		if (keeps && crew->keeper->is_due(crew->keeper->self)) keep(crew);
		if (crew->link && crew->between->severed) tell_all(crew, MZ_WORKER_EXITED);
		tell_iterations(crew);
		if (job->watch) job->watch(job->watcher);
	}
	if (keeps) keep(crew);
}

static struct mz_worker_result run_once(const struct mz_worker_job *job, uint32_t n,
                                        const struct mz_crew_keeper *keeper, const struct mz_crew_link *link,
                                        double until, bool *again)
{
	struct mz_worker_result result = {.end = MZ_WORKER_NOT_STARTED, .status = ENOMEM};
	struct crew *crew = mz_alloc(sizeof *crew);
	sigset_t old;
	*again = false;
	if (!crew) return result;
	memset(crew, 0, sizeof *crew);
	crew->keeper = keeper;
	crew->until = until;
	crew->link = link;
	if (assemble(crew, job, n) != 0) {
		result.status = errno;
		*again = crew->connected && link->disconnect(link->self);
		dismiss(crew);
		return result;
	}
	mz_workers_begin(&old);
	/* if a bug that ends the run is known already, one worker is enough to say so */
	bool over = job->memory->session->nfindings && !job->memory->session->configuration.keep_going;
	crew->over = over && keeper && keeper->session;
	while (over && crew->n > 1) mz_session_close(&crew->members[--crew->n].own);
	for (uint32_t i = 0; i < crew->n; i++) start(crew, i);
	oversee(crew, job);
	mz_workers_end(&old);
	*again = link && link->disconnect(link->self);
	/* another machine has begun anew: what was done here is of no use */
	if (link && crew->stateful && mz_states_generation(&crew->states) != crew->generation) *again = true;
	result = conclude(crew, job->memory);
	if (job->watch) job->watch(job->watcher);
	dismiss(crew);
	return result;
}

/* Forgets what was counted and kept, which is of no use to workers that begin anew, and keeps what was found. */
static void start_over(struct mz_session *session)
{
	session->outcome = MZ_OUTCOME_NONE;
	mz_counts_set(session, (struct mz_trunk_counts){0});
	session->graphs = session->graph_bytes = 0;
	session->running = 0;
	atomic_store(&session->stop, 0);
}

struct mz_worker_result mz_crew_run(const struct mz_worker_job *job, uint32_t n, const struct mz_crew_keeper *keeper,
                                    const struct mz_crew_link *link)
{
	struct mz_session_memory *memory = job->memory;
	double until = job->timeout > 0 ? seconds() + job->timeout : 0;
	bool again = false;
	struct mz_worker_result result = run_once(job, n, keeper, link, until, &again);
	while ((memory->session->outcome == MZ_OUTCOME_AGAIN || again) && !memory->damaged) {
		mz_session_reopen(memory);
		start_over(memory->session);
		result = run_once(job, n, keeper, link, until, &again);
	}
	return result;
}
